/* Views: which bytes of a file a rank sees, and where it stands in them. */
#include "mpi_building.h"
#include "mpi_files.h"

void mgen_view_open(struct view *view, MPI_Offset displacement, MPI_Datatype etype,
                    MPI_Datatype filetype) {
    *view = (struct view){.displacement = displacement,
                          .etype = etype,
                          .filetype = filetype,
                          .element = mgen_type(etype),
                          .pattern = mgen_type(filetype)};
    mgen_type_hold(etype);
    mgen_type_hold(filetype);
    const struct type *pattern = view->pattern;
    view->is_together = mgen_is_dense(pattern, 2);
    view->before = mgen_memory(pattern->block_count * sizeof *view->before);
    MPI_Offset bytes = 0;
    for (size_t i = 0; i < pattern->block_count; i++) {
        view->before[i] = bytes;
        bytes += (MPI_Offset)pattern->blocks[i].bytes;
    }
}

void mgen_view_close(struct view *view) {
    mgen_type_release(view->etype);
    mgen_type_release(view->filetype);
    free(view->before);
}

/* The last block that begins at `rest` bytes of data of the pattern or before. */
static size_t block_at(const struct view *view, MPI_Offset rest) {
    size_t first = 0;
    size_t last = view->pattern->block_count - 1;
    while (first < last) {
        size_t middle = (first + last + 1) / 2;
        if (view->before[middle] <= rest) {
            first = middle;
        } else {
            last = middle - 1;
        }
    }
    return first;
}

struct piece mgen_view_piece(const struct view *view, MPI_Offset from, size_t most) {
    const struct type *pattern = view->pattern;
    if (view->is_together || pattern->size == 0) {
        return (struct piece){view->displacement + pattern->true_lb + from, most};
    }
    MPI_Offset rest = from % pattern->size;
    size_t place = block_at(view, rest);
    const struct block *block = &pattern->blocks[place];
    MPI_Offset inside = rest - view->before[place];
    size_t left = block->bytes - (size_t)inside;
    return (struct piece){view->displacement + from / pattern->size * pattern->extent +
                              block->offset + inside,
                          left < most ? left : most};
}

MPI_Offset mgen_view_end(const struct view *view, MPI_Offset file_bytes) {
    const struct type *pattern = view->pattern;
    MPI_Offset bytes = file_bytes - view->displacement;
    if (bytes <= 0 || pattern->size == 0) {
        return 0;
    }
    if (view->is_together) {
        return bytes;
    }
    /* Repetitions of the pattern that lie before the end as a whole. */
    MPI_Offset last = pattern->true_lb + pattern->true_extent;
    MPI_Offset whole = bytes < last ? 0 : (bytes - last) / pattern->extent + 1;
    MPI_Offset found = whole * pattern->size;
    MPI_Offset rest = bytes - whole * pattern->extent;
    for (size_t i = 0; i < pattern->block_count && pattern->blocks[i].offset < rest; i++) {
        MPI_Offset seen = rest - pattern->blocks[i].offset;
        MPI_Offset own = (MPI_Offset)pattern->blocks[i].bytes;
        found += seen < own ? seen : own;
    }
    return found;
}

static MPI_Offset elements(const struct view *view, MPI_Offset bytes) {
    MPI_Offset size = view->element->size > 0 ? view->element->size : 1;
    return (bytes + size - 1) / size;
}

/* Whether the blocks of a file lie one behind the other, as those of a view must. */
static int is_ascending(const struct type *type) {
    for (size_t i = 1; i < type->block_count; i++) {
        const struct block *before = &type->blocks[i - 1];
        if (type->blocks[i].offset < before->offset + (MPI_Aint)before->bytes) {
            return 0;
        }
    }
    return type->block_count == 0 || type->blocks[0].offset >= 0;
}

static int view_error(const struct file *file, MPI_Offset displacement, MPI_Datatype etype,
                      MPI_Datatype filetype, const char *form) {
    int is_native = strcmp(form, "native") == 0 || strcmp(form, "NATIVE") == 0;
    if (strcmp(form, "external32") == 0 || strcmp(form, "internal") == 0) {
        char text[96];
        snprintf(text, sizeof text, "the simulator does not simulate the data representation %s",
                 form);
        mgen_fail(text);
    }
    int is_current = displacement == MPI_DISPLACEMENT_CURRENT;
    if ((displacement < 0 && !is_current) ||
        is_current != ((file->mode & MPI_MODE_SEQUENTIAL) != 0)) {
        return MPI_ERR_ARG;
    }
    const struct type *element = mgen_type(etype);
    const struct type *pattern = mgen_type(filetype);
    if (element->size == 0 || pattern->size % element->size != 0) {
        return MPI_ERR_ARG;
    }
    if (!is_ascending(pattern)) {
        mgen_fail("the blocks of the type of the file do not lie one behind the other");
    }
    return is_native ? MPI_SUCCESS : MPI_ERR_UNSUPPORTED_DATAREP;
}

int MPI_File_set_view(MPI_File handle, MPI_Offset displacement, MPI_Datatype etype,
                      MPI_Datatype filetype, const char *form, MPI_Info info) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    mgen_enter(__func__, file->comm, -1);
    int code = view_error(file, displacement, etype, filetype, form);
    mgen_file_meet(file);
    if (code == MPI_SUCCESS) {
        if (displacement == MPI_DISPLACEMENT_CURRENT) {
            displacement = mgen_view_piece(&file->view, file->shared->position, 0).at;
        }
        struct view view;
        mgen_view_open(&view, displacement, etype, filetype);
        mgen_view_close(&file->view);
        file->view = view;
        file->position = 0;
    }
    mgen_file_meet(file);
    file->shared->position = 0;
    mgen_file_meet(file);
    (void)info;
    return mgen_file_left(__func__, handle, code);
}

int MPI_File_get_view(MPI_File handle, MPI_Offset *displacement, MPI_Datatype *etype,
                      MPI_Datatype *filetype, char *form) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    *displacement = file->view.displacement;
    *etype = file->view.etype;
    *filetype = file->view.filetype;
    mgen_type_hold(*etype);
    mgen_type_hold(*filetype);
    strcpy(form, "native");
    return MPI_SUCCESS;
}

int MPI_File_get_type_extent(MPI_File handle, MPI_Datatype type, MPI_Aint *extent) {
    if (mgen_file_of(__func__, handle) == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    *extent = mgen_type_of(__func__, type)->extent;
    return MPI_SUCCESS;
}

int MPI_File_get_byte_offset(MPI_File handle, MPI_Offset offset, MPI_Offset *place) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    if (offset < 0) {
        return mgen_file_error(__func__, handle, MPI_ERR_ARG);
    }
    if (file->mode & MPI_MODE_SEQUENTIAL) {
        return mgen_file_error(__func__, handle, MPI_ERR_UNSUPPORTED_OPERATION);
    }
    *place = mgen_view_piece(&file->view, offset * file->view.element->size, 0).at;
    return MPI_SUCCESS;
}

int MPI_File_get_position(MPI_File handle, MPI_Offset *offset) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    if (file->mode & MPI_MODE_SEQUENTIAL) {
        return mgen_file_error(__func__, handle, MPI_ERR_UNSUPPORTED_OPERATION);
    }
    *offset = elements(&file->view, file->position);
    return MPI_SUCCESS;
}

int MPI_File_get_position_shared(MPI_File handle, MPI_Offset *offset) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    mgen_label(__func__);
    mgen_storage();
    *offset = elements(&file->view, file->shared->position);
    return mgen_left(MPI_SUCCESS);
}

/* Moves a pointer of bytes; returns an error for a place before the begin. */
static int moved(const struct file *file, MPI_Offset offset, int whence, MPI_Offset *position) {
    MPI_Offset size = file->view.element->size;
    MPI_Offset begin = 0;
    if (whence == MPI_SEEK_CUR) {
        begin = *position;
    } else if (whence == MPI_SEEK_END) {
        begin = elements(&file->view, mgen_view_end(&file->view, mgen_file_bytes(file))) * size;
    } else if (whence != MPI_SEEK_SET) {
        return MPI_ERR_ARG;
    }
    if (begin + offset * size < 0) {
        return MPI_ERR_ARG;
    }
    *position = begin + offset * size;
    return MPI_SUCCESS;
}

int MPI_File_seek(MPI_File handle, MPI_Offset offset, int whence) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    if (file->mode & MPI_MODE_SEQUENTIAL) {
        return mgen_file_error(__func__, handle, MPI_ERR_UNSUPPORTED_OPERATION);
    }
    mgen_label(__func__);
    if (whence == MPI_SEEK_END) {
        mgen_storage();
    }
    return mgen_file_left(__func__, handle, moved(file, offset, whence, &file->position));
}

int MPI_File_seek_shared(MPI_File handle, MPI_Offset offset, int whence) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    if (file->mode & MPI_MODE_SEQUENTIAL) {
        return mgen_file_error(__func__, handle, MPI_ERR_UNSUPPORTED_OPERATION);
    }
    mgen_enter(__func__, file->comm, -1);
    mgen_file_meet(file);
    mgen_storage();
    if (mgen_file_is_last(file)) {
        file->shared->code = moved(file, offset, whence, &file->shared->position);
    }
    mgen_file_meet(file);
    return mgen_file_left(__func__, handle, file->shared->code);
}
