/* SPDX-License-Identifier: MIT */
/* The same as main.c, in C++. */
#include <stdio.h>
#include <string.h>
#include <weft/base.h>

int main()
{
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
    return strcmp(expected, weft_version()) != 0;
}
