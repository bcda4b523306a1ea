/* SPDX-License-Identifier: MIT */
/* Landmarks of bodies in files. Part of libweft-io. */
#ifndef WEFT_IO_BODY_H
#define WEFT_IO_BODY_H

#include <weft/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/* JSON with "measured_m" (waist_y, seat_y, chest_y and girths) and "joints_rest_m", where LeftArm, LeftForeArm,
 * LeftHand and those of the right have a "head", and so has Neck. What the file does not tell stays as it is. */
WEFT_API weft_result weft_landmarks_read(const char *path, weft_landmarks *landmarks, weft_error *error);
WEFT_API weft_result weft_landmarks_parse(const char *name, const void *bytes, size_t size, weft_landmarks *landmarks,
                                          weft_error *error);
WEFT_API weft_result weft_landmarks_write(const char *path, const weft_landmarks *landmarks, bool force,
                                          weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
