/* Attributes, error handlers, error codes, hints, memory, versions. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static int size;
static int copies;
static int deletions;

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

static int copied(MPI_Comm comm, int key, void *extra, void *value, void *copy, int *flag) {
    (void)comm;
    (void)key;
    copies++;
    *flag = value != NULL && *(int *)value != 13;
    *(void **)copy = extra;
    return MPI_SUCCESS;
}

static int deleted(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm;
    (void)key;
    (void)extra;
    deletions++;
    SAY("deleted %d", *(int *)value);
    return MPI_SUCCESS;
}

static int type_deleted(MPI_Datatype type, int key, void *value, void *extra) {
    (void)type;
    (void)key;
    (void)extra;
    SAY("type deleted %d", *(int *)value);
    return MPI_SUCCESS;
}

static void attributes(void) {
    static int two = 2;
    int key, second, third, extra = 5, one = 1, thirteen = 13, flag, *found;
    MPI_Comm comm, copy;
    MPI_Comm_create_keyval(copied, deleted, &key, &extra);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &second, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &third, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_get_attr(comm, key, &found, &flag);
    SAY("nothing %d", flag);
    MPI_Comm_set_attr(comm, key, &one);
    MPI_Comm_set_attr(comm, second, &two);
    MPI_Comm_set_attr(comm, third, &thirteen);
    MPI_Comm_get_attr(comm, key, &found, &flag);
    SAY("found %d %d", flag, *found);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_get_attr(copy, key, &found, &flag);
    SAY("copied %d %d", flag, *found);
    MPI_Comm_get_attr(copy, second, &found, &flag);
    SAY("same %d %d", flag, found == &two);
    MPI_Comm_get_attr(copy, third, &found, &flag);
    SAY("not copied %d", flag);
    MPI_Comm_set_attr(comm, key, &thirteen);
    MPI_Comm_delete_attr(comm, third);
    MPI_Comm_get_attr(comm, third, &found, &flag);
    SAY("gone %d", flag);
    MPI_Comm_free(&copy);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_get_attr(copy, key, &found, &flag);
    SAY("refused %d", flag);
    MPI_Comm_free(&copy);
    MPI_Comm_free_keyval(&key);
    SAY("invalid %d", key == MPI_KEYVAL_INVALID);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&second);
    SAY("copies %d, deletions %d", copies, deletions);
    MPI_Comm_set_attr(MPI_COMM_SELF, third, &two);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &found, &flag);
    SAY("tags %d %d", flag, *found >= 32767);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &found, &flag);
    SAY("time %d", flag);
    MPI_Datatype type, other;
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, type_deleted, &key, NULL);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_set_attr(type, key, &one);
    MPI_Type_get_attr(type, key, &found, &flag);
    SAY("type %d %d", flag, *found);
    MPI_Type_dup(type, &other);
    MPI_Type_get_attr(other, key, &found, &flag);
    SAY("copy of the type %d %d", flag, *found);
    MPI_Type_free(&other);
    MPI_Type_delete_attr(type, key);
    MPI_Type_get_attr(type, key, &found, &flag);
    SAY("type %d", flag);
    MPI_Type_free(&type);
    MPI_Type_free_keyval(&key);
}

static void handled(MPI_Comm *comm, int *code, ...) {
    int class;
    MPI_Error_class(*code, &class);
    SAY("handled: of world %d, class %d", *comm == MPI_COMM_WORLD, class == MPI_ERR_OTHER);
}

static void errors(void) {
    MPI_Errhandler handler, found;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
    SAY("fatal %d", found == MPI_ERRORS_ARE_FATAL);
    MPI_Comm_create_errhandler(handled, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
    SAY("return %d", found == MPI_ERRORS_RETURN);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    MPI_Errhandler_free(&handler);
    SAY("null %d", handler == MPI_ERRHANDLER_NULL);
    int class, code, again, length;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Add_error_string(code, "of mine");
    MPI_Error_class(code, &again);
    MPI_Error_string(code, text, &length);
    SAY("class %d, %s %d", again == class, text, length);
    MPI_Error_class(MPI_SUCCESS, &again);
    SAY("success %d", again);
}

static void hints(void) {
    MPI_Info info, copy;
    char key[MPI_MAX_INFO_KEY + 1], value[64];
    int count, flag, length;
    MPI_Info_create(&info);
    MPI_Info_set(info, "one", "1");
    MPI_Info_set(info, "two", "zwei");
    MPI_Info_set(info, "one", "eins");
    MPI_Info_get_nkeys(info, &count);
    MPI_Info_get(info, "one", 63, value, &flag);
    SAY("keys %d, %d %s", count, flag, value);
    MPI_Info_get(info, "three", 63, value, &flag);
    SAY("no %d", flag);
    MPI_Info_get_valuelen(info, "two", &length, &flag);
    SAY("length %d %d", length, flag);
    MPI_Info_get_nthkey(info, 1, key);
    SAY("second %s", key);
    MPI_Info_dup(info, &copy);
    MPI_Info_delete(info, "one");
    MPI_Info_get_nkeys(info, &count);
    SAY("left %d", count);
    MPI_Info_get_nkeys(copy, &count);
    MPI_Info_get(copy, "one", 2, value, &flag);
    SAY("copy %d, cut %s", count, value);
    MPI_Info_free(&info);
    MPI_Info_free(&copy);
    SAY("null %d", info == MPI_INFO_NULL);
    MPI_Info_get(MPI_INFO_ENV, "none that there is", 63, value, &flag);
    SAY("of the environment %d", flag);
}

int main(int argc, char **argv) {
    int provided, flag, version, subversion, *memory;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    SAY("provided %d", provided >= MPI_THREAD_SINGLE);
    MPI_Is_thread_main(&flag);
    SAY("main %d", flag);
    MPI_Get_version(&version, &subversion);
    SAY("version %d", version >= 3);
    MPI_Alloc_mem(400, MPI_INFO_NULL, &memory);
    memset(memory, 1, 400);
    MPI_Free_mem(memory);
    SAY("tick %d", MPI_Wtick() > 0 && MPI_Wtime() >= 0);
    attributes();
    errors();
    hints();
    MPI_Pcontrol(0);
    MPI_Finalize();
    return 0;
}
