// Interpreters that wait for a program, each in a launcher that is kept for calls of its language: at most one a language, from the first
// call on that could have used it, until none was made for a while, and all of them within a bound of memory. Called by pool.c on the
// server's loop; owns the timer.
#include "job/pool_inside.h"

unsigned cc_pool_waiting(const cc_pool *pool, uint64_t *kb) {
    const cc_list *l = &pool->workers[CC_LAUNCHER][WAITING];
    *kb = 0;
    for (cc_link *k = cc_list_first(l); k; k = cc_list_next(l, k)) *kb += CC_LIST_ITEM(k, cc_worker, link)->holds_kb;
    return l->n;
}

static int64_t used_ms(const cc_worker *w) { return w->pool->waiting.of[w->language].used_ms; }

// The one whose language was used longest ago; NULL when none waits.
static cc_worker *least_used(const cc_pool *pool) {
    cc_worker *least = NULL;
    const cc_list *l = &pool->workers[CC_LAUNCHER][WAITING];
    for (cc_link *k = cc_list_first(l); k; k = cc_list_next(l, k)) {
        cc_worker *w = CC_LIST_ITEM(k, cc_worker, link);
        if (!least || used_ms(w) < used_ms(least)) least = w;
    }
    return least;
}

static void on_unused(uv_timer_t *t) {
    cc_worker *w = least_used(t->data);
    if (!w) return;
    int64_t left = used_ms(w) + w->pool->limits.spare_ms - cc_now_ms();
    if (left <= 0) cc_worker_dismiss(w);
    uv_timer_start(t, on_unused, left > 0 ? (uint64_t)left : 1, 0);
}

static bool is_there(const cc_pool *pool, unsigned language) {
    for (unsigned i = 0; i < 2; i++) {
        const cc_list *l = &pool->workers[CC_LAUNCHER][i ? WAITING : COMING];
        for (cc_link *k = cc_list_first(l); k; k = cc_list_next(l, k))
            if (CC_LIST_ITEM(k, cc_worker, link)->language == language) return true;
    }
    return false;
}

void cc_waiting_keep(cc_pool *pool, unsigned language) {
    if (pool->closing || !pool->limits.spares || !pool->limits.waiting_kb || language >= CC_ARRAY_LEN(pool->waiting.of)) return;
    pool->waiting.of[language].used_ms = cc_now_ms();
    if (pool->waiting.of[language].refused || is_there(pool, language)) return;
    cc_error err;
    if (cc_pool_start_with(pool, CC_LAUNCHER, language, &err)) cc_log(CC_LOG_WARN, "no interpreter kept: %s", err.msg);
}

void cc_waiting_came(cc_pool *pool) {
    if (!uv_is_active((uv_handle_t *)&pool->waiting.unused)) uv_timer_start(&pool->waiting.unused, on_unused, pool->limits.spare_ms, 0);
}

void cc_waiting_bound(cc_worker *told) {
    cc_pool *pool = told->pool;
    uint64_t most = pool->limits.waiting_kb, kb;
    if (told->holds_kb > most) {
        pool->waiting.of[told->language].refused = true;
        cc_worker_dismiss(told);
    }
    while (cc_pool_waiting(pool, &kb) && kb > most) cc_worker_dismiss(least_used(pool));
}
