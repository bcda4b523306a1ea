/* SPDX-License-Identifier: MIT */
#include "view/http_request.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int lies_within(http_text t, const char *bytes, size_t n)
{
    return t.n == 0 || (t.text >= bytes && t.text + t.n <= bytes + n);
}

/* Bytes come in pieces, as the network has them: what is whole, or bad, is so at once and for good. A page or frames
 * are given for the right secret under an own name only. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    http_request q, again;
    http_state state = http_request_parse(bytes, size, &q);
    for (size_t n = 0; n <= size && n < 300; n++) {
        http_state early = http_request_parse(bytes, n, &again);
        if (early != HTTP_MORE && early != state)
            abort();
    }
    if (state == HTTP_MORE && size >= HTTP_MOST)
        abort();
    if (state != HTTP_WHOLE)
        return 0;
    if (!lies_within(q.method, bytes, size) || !lies_within(q.target, bytes, size) || !lies_within(q.host, bytes, size))
        abort();
    http_route route = http_request_route(&q, "5ec2e7");
    if ((route == HTTP_PAGE || route == HTTP_FRAMES) &&
        (q.target.n < 8 || memcmp(q.target.text, "/5ec2e7/", 8) != 0 || q.host.n < 5))
        abort();
    return 0;
}
