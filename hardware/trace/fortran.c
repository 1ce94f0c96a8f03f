/* Libraries of Fortran call MPI by its names PMPI_…: Open MPI's for all calls, MPICH's for those of
 * the module mpi_f08. Such calls would pass the recorder by. So the entries of these names in the
 * tables of such a library lead to the recorder, before a program begins. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What a table of a library says, which the loader has found or has yet to find. */
struct tables {
    ElfW(Addr) base;
    const ElfW(Sym) * symbols;
    const char *names;
    void *recorder;
};

static int is_of_fortran(const char *path) {
    const char *name = strrchr(path, '/');
    name = name == NULL ? path : name + 1;
    return strstr(name, "mpifh") != NULL || strstr(name, "usempi") != NULL ||
           (strstr(name, "mpi") != NULL && strstr(name, "fort") != NULL);
}

/* The loader may have closed the page to writing. */
static void write_entry(void **entry, void *function) {
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t)entry / size * size;
    if (mprotect((void *)page, size, PROT_READ | PROT_WRITE) == 0) {
        *entry = function;
    }
}

static void lead(const struct tables *all, const ElfW(Rela) * entries, size_t bytes) {
    for (size_t i = 0; i < bytes / sizeof *entries; i++) {
        const ElfW(Sym) *symbol = &all->symbols[ELF64_R_SYM(entries[i].r_info)];
        const char *name = all->names + symbol->st_name;
        if (symbol->st_shndx != SHN_UNDEF || strncmp(name, "PMPI_", 5) != 0) {
            continue;
        }
        void *function = dlsym(all->recorder, name + 1);
        if (function != NULL) {
            write_entry((void **)(all->base + entries[i].r_offset), function);
        }
    }
}

static int look_at(struct dl_phdr_info *object, size_t size, void *recorder) {
    (void)size;
    if (!is_of_fortran(object->dlpi_name)) {
        return 0;
    }
    struct tables all = {.base = object->dlpi_addr, .recorder = recorder};
    const ElfW(Rela) *entries = NULL;
    const ElfW(Rela) *calls = NULL;
    size_t entries_bytes = 0;
    size_t calls_bytes = 0;
    const ElfW(Dyn) *item = NULL;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            item = (const ElfW(Dyn) *)(all.base + object->dlpi_phdr[i].p_vaddr);
        }
    }
    for (; item != NULL && item->d_tag != DT_NULL; item++) {
        ElfW(Addr) place = item->d_un.d_ptr;
        /* Some loaders leave these as they are in the file. */
        const void *at = (const void *)(place < all.base ? all.base + place : place);
        switch (item->d_tag) {
        case DT_SYMTAB:
            all.symbols = at;
            break;
        case DT_STRTAB:
            all.names = at;
            break;
        case DT_RELA:
            entries = at;
            break;
        case DT_RELASZ:
            entries_bytes = item->d_un.d_val;
            break;
        case DT_JMPREL:
            calls = at;
            break;
        case DT_PLTRELSZ:
            calls_bytes = item->d_un.d_val;
            break;
        default:
            break;
        }
    }
    if (all.symbols != NULL && all.names != NULL) {
        lead(&all, entries, entries_bytes);
        lead(&all, calls, calls_bytes);
    }
    return 0;
}

__attribute__((constructor)) static void lead_libraries(void) {
    Dl_info own;
    void *recorder = NULL;
    if (dladdr((void *)&lead_libraries, &own) != 0) {
        recorder = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    }
    if (recorder != NULL) {
        dl_iterate_phdr(look_at, recorder);
    }
}
