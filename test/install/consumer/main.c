/* SPDX-License-Identifier: MIT */
/* The smallest program that uses an installed libweft: does the library match the header, and does it link? */
#include <stdio.h>
#include <string.h>
#include <weft/base.h>

int main(void)
{
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
    return strcmp(expected, weft_version()) != 0;
}
