/* SPDX-License-Identifier: MIT */
/* Fabrics: what a piece of cloth is made of. */
#ifndef WEFT_FABRIC_H
#define WEFT_FABRIC_H

#include <weft/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Warp runs along the material coordinate u, weft along v. Make one with weft_fabric_default() or weft_fabric_find()
 * and change what differs. */
typedef struct weft_fabric {
    size_t struct_size;
    double density;      /* mass per area, kg/m²; (0, 100]; 0.15 */
    double stretch_warp; /* Young's modulus times thickness along warp, N/m; [1e-3, 1e7]; 500 */
    double stretch_weft; /* the same along weft, N/m; [1e-3, 1e7]; 500 */
    double shear;        /* shear modulus times thickness, N/m; [0, 1e7]; 60 */
    /* Geometric mean of the two Poisson ratios; [0, 0.95]; 0. Of the membrane only: springs have their own. */
    double poisson;
    double bending_warp; /* bending rigidity against curling along warp, N·m; [0, 1e3]; 5e-6 */
    double bending_weft; /* the same along weft, N·m; [0, 1e3]; 5e-6 */
    /* Relaxation times, s: stress = stiffness · (strain + time · rate of strain). */
    double damping_stretch; /* of stretch and shear; [0, 10]; 0.002 */
    double damping_bending; /* [0, 10]; 0.005 */
    double thickness;       /* distance kept from colliders, m; [0, 0.1]; 3e-4 */
    double friction;        /* k_f of Provot 1997 eq. 4, tangential over normal; [0, 10]; 0.4 */
    double dissipation;     /* k_d of Provot 1997 eq. 4: speed after over speed before an impact; [0, 1]; 0 */
    double stretch_limit;   /* largest length over rest length along warp and weft; 0 (none) or [1.001, 10]; 1.10 */
} weft_fabric;

WEFT_API weft_fabric weft_fabric_default(void);

/* Range and finiteness of every field; the text names the field. */
WEFT_API weft_result weft_fabric_check(const weft_fabric *fabric, weft_error *error);

/* The library of named fabrics. */
WEFT_API int32_t weft_fabric_count(void);
WEFT_API const char *weft_fabric_name(int32_t index);   /* NULL outside [0, count) */
WEFT_API const char *weft_fabric_source(int32_t index); /* where its numbers come from; NULL outside [0, count) */
/* WEFT_ERROR_NOT_FOUND leaves *out as it was. */
WEFT_API weft_result weft_fabric_find(const char *name, weft_fabric *out, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
