// SPDX-License-Identifier: MIT
// Blocks and keys of a .vmf.
#include "mapdoc/vmf_block.h"

void bspi_vmf_indent(bspi_printer *p, unsigned depth) {
    static const char tabs[] = "\t\t\t\t\t\t\t\t";
    bspi_out_bytes(&p->out, tabs, depth < sizeof tabs ? depth : sizeof tabs - 1);
}

void bspi_vmf_open(bspi_printer *p, unsigned depth, const char *name) {
    bspi_vmf_indent(p, depth);
    bspi_print(p, name);
    bspi_print_line(p);
    bspi_vmf_indent(p, depth);
    bspi_print(p, "{");
    bspi_print_line(p);
}

void bspi_vmf_close(bspi_printer *p, unsigned depth) {
    bspi_vmf_indent(p, depth);
    bspi_print(p, "}");
    bspi_print_line(p);
}

void bspi_vmf_key(bspi_printer *p, unsigned depth, const char *key) {
    bspi_vmf_indent(p, depth);
    bspi_print(p, "\"");
    bspi_print(p, key);
    bspi_print(p, "\" \"");
}

void bspi_vmf_end(bspi_printer *p) {
    bspi_print(p, "\"");
    bspi_print_line(p);
}

void bspi_vmf_uint(bspi_printer *p, unsigned depth, const char *key, uint32_t value) {
    bspi_vmf_key(p, depth, key);
    bspi_print_uint(p, value);
    bspi_vmf_end(p);
}
