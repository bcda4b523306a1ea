/* SPDX-License-Identifier: MIT */
/* What a step tells: a result, and a text where something is wrong or was not easy. */
#include "base/error.h"
#include "sim/params.h"
#include "sim/phases.h"
#include "sim/sim.h"

static weft_result tell_warnings(const weft_sim *s, const weft_step_stats *st)
{
    if (st->squeezed_pairs > 0) {
        sim_log(&s->model, WEFT_LOG_WARNING, "%g s: %d pairs of primitives have no room", st->time, st->squeezed_pairs);
        return WEFT_WARNING_SQUEEZED;
    }
    if (st->squeezed > 0) {
        sim_log(&s->model, WEFT_LOG_WARNING, "%g s: %d triangles have no room between colliders", st->time,
                st->squeezed);
        return WEFT_WARNING_SQUEEZED;
    }
    double over = st->stretch > OVERSTRETCH_TOLD ? stretch_over_limit(&s->model, s->state.q) : 0;
    if (over > OVERSTRETCH_TOLD) {
        sim_log(&s->model, WEFT_LOG_WARNING,
                "%g s: cloth is %.3g times as long as its stretch limit allows; held nodes alone force %.3g", st->time,
                over, forced_stretch(&s->model, s->state.q));
        return WEFT_WARNING_STRETCHED;
    }
    if (st->halvings > 0) {
        sim_log(&s->model, WEFT_LOG_WARNING, "%g s: the step was done in %d parts", st->time, st->n_steps);
        return WEFT_WARNING_HALVED;
    }
    if (st->residual > NEWTON_ROUGH * s->model.mean_edge) {
        sim_log(&s->model, WEFT_LOG_INFO, "%g s: the last Newton step still moved a node by %g m", st->time,
                st->residual);
        return WEFT_WARNING_NOT_CONVERGED;
    }
    return WEFT_OK;
}

weft_result step_outcome(const weft_sim *s, substep_end end, const weft_step_stats *stats, weft_error *e)
{
    if (end == SUBSTEP_CANCELLED)
        return error_set(e, WEFT_ERROR_CANCELLED, -1, "cancelled; the state is that before the step");
    if (end == SUBSTEP_FAILED)
        return error_set(
            e, WEFT_ERROR_DIVERGED, -1,
            "no acceptable step from %g s, halved %d times: the solver did not converge or a node left the "
            "world; the state is that before the step",
            s->state.time, stats->halvings);
    return tell_warnings(s, stats);
}
