
/*
 * application/x-www-form-urlencoded bodies and query strings.
 */

#include "base/ngx_campfire_base_form.h"
#include "base/ngx_campfire_base_escape.h"
#include "base/ngx_campfire_base_utf8.h"


/* Pairs that are not empty, at most one more than the limit. */

static ngx_uint_t
ngx_campfire_base_form_count(const ngx_str_t *src)
{
    size_t      i;
    ngx_uint_t  n, inside;

    n = 0;
    inside = 0;

    for (i = 0; i < src->len && n <= NGX_CAMPFIRE_BASE_FORM_MAX_PAIRS; i++) {
        if (src->data[i] == '&') {
            inside = 0;

        } else if (!inside && src->data[i] != ' ') {
            inside = 1;
            n++;
        }
    }

    return n;
}


static ngx_campfire_base_form_e
ngx_campfire_base_form_decode(ngx_str_t *dst, u_char **p, const u_char *src,
    size_t len)
{
    dst->data = *p;

    if (ngx_campfire_base_unescape(dst->data, &dst->len, src, len,
                                   NGX_CAMPFIRE_BASE_UNESCAPE_FORM)
        != NGX_OK)
    {
        return NGX_CAMPFIRE_BASE_FORM_BAD_ESCAPE;
    }

    if (!ngx_campfire_base_utf8_valid(dst->data, dst->len)) {
        return NGX_CAMPFIRE_BASE_FORM_BAD_UTF8;
    }

    *p += dst->len;

    return NGX_CAMPFIRE_BASE_FORM_OK;
}


/* A key is a name, not empty, and then any number of [] or [name]. */

static ngx_campfire_base_form_e
ngx_campfire_base_form_check_key(const ngx_str_t *key)
{
    u_char      c, prev;
    size_t      i;
    ngx_uint_t  depth, open;

    depth = 0;
    open = 0;
    prev = 0;

    for (i = 0; i < key->len; i++) {
        c = key->data[i];

        if (c == '[') {
            if (open || i == 0 || (depth && prev != ']')) {
                return NGX_CAMPFIRE_BASE_FORM_BAD_NESTING;
            }

            open = 1;

            if (++depth > NGX_CAMPFIRE_BASE_FORM_MAX_DEPTH) {
                return NGX_CAMPFIRE_BASE_FORM_TOO_DEEP;
            }

        } else if (c == ']') {
            if (!open) {
                return NGX_CAMPFIRE_BASE_FORM_BAD_NESTING;
            }

            open = 0;

        } else if (depth && !open) {
            return NGX_CAMPFIRE_BASE_FORM_BAD_NESTING;
        }

        prev = c;
    }

    return open ? NGX_CAMPFIRE_BASE_FORM_BAD_NESTING
                : NGX_CAMPFIRE_BASE_FORM_OK;
}


/*
 * An order in which the end of a key comes before "[", and "[" and "]" before
 * any other byte, so that all that shares a prefix lies together: scalars,
 * then lists, then hashes.
 */

static int
ngx_campfire_base_form_rank(const ngx_str_t *key, size_t i)
{
    if (i == key->len) {
        return 0;
    }

    if (key->data[i] == '[') {
        return 1;
    }

    return (key->data[i] == ']') ? 2 : key->data[i] + 3;
}


static size_t
ngx_campfire_base_form_common(const ngx_str_t *a, const ngx_str_t *b)
{
    size_t  i;

    for (i = 0; i < a->len && i < b->len; i++) {
        if (a->data[i] != b->data[i]) {
            break;
        }
    }

    return i;
}


/*
 * Sorts the keys (Shell's method, Ciura's gaps), after which any conflict is
 * one between neighbours, at the first byte in which they differ.
 */

static ngx_campfire_base_form_e
ngx_campfire_base_form_check_conflicts(const ngx_campfire_base_form_t *form)
{
    size_t            c;
    ngx_uint_t        g, i, j, gap;
    const ngx_str_t  *a, *b;
    const ngx_str_t  *keys[NGX_CAMPFIRE_BASE_FORM_MAX_PAIRS];

    static const ngx_uint_t  gaps[] = { 701, 301, 132, 57, 23, 10, 4, 1 };

    for (i = 0; i < form->npairs; i++) {
        keys[i] = &form->pairs[i].key;
    }

    for (g = 0; g < sizeof(gaps) / sizeof(gaps[0]); g++) {
        gap = gaps[g];

        for (i = gap; i < form->npairs; i++) {
            b = keys[i];

            for (j = i; j >= gap; j -= gap) {
                a = keys[j - gap];
                c = ngx_campfire_base_form_common(a, b);

                if (ngx_campfire_base_form_rank(a, c)
                    <= ngx_campfire_base_form_rank(b, c))
                {
                    break;
                }

                keys[j] = a;
            }

            keys[j] = b;
        }
    }

    for (i = 1; i < form->npairs; i++) {
        a = keys[i - 1];
        b = keys[i];
        c = ngx_campfire_base_form_common(a, b);

        if (c == b->len) {
            continue;
        }

        /* "a" and "a[", or "a[]" and "a[b" */

        if (c == a->len ? b->data[c] == '['
                        : (a->data[c] == ']' && a->data[c - 1] == '['))
        {
            return NGX_CAMPFIRE_BASE_FORM_BAD_NESTING;
        }
    }

    return NGX_CAMPFIRE_BASE_FORM_OK;
}


static ngx_campfire_base_form_e
ngx_campfire_base_form_fill(ngx_campfire_base_form_t *form, u_char *p,
    const ngx_str_t *src)
{
    size_t                          i, start, eq;
    ngx_campfire_base_form_e        rc;
    ngx_campfire_base_form_pair_t  *pair;

    for (i = 0; i < src->len; i++) {

        while (i < src->len && src->data[i] == ' ') {
            i++;
        }

        start = i;

        while (i < src->len && src->data[i] != '&' && src->data[i] != '=') {
            i++;
        }

        eq = i;

        while (i < src->len && src->data[i] != '&') {
            i++;
        }

        if (i == start) {
            continue;
        }

        pair = &form->pairs[form->npairs];

        rc = ngx_campfire_base_form_decode(&pair->key, &p, src->data + start,
                                           eq - start);
        if (rc != NGX_CAMPFIRE_BASE_FORM_OK) {
            return rc;
        }

        pair->value.len = 0;
        pair->value.data = NULL;

        if (eq < i) {
            rc = ngx_campfire_base_form_decode(&pair->value, &p,
                                               src->data + eq + 1, i - eq - 1);
            if (rc != NGX_CAMPFIRE_BASE_FORM_OK) {
                return rc;
            }
        }

        if (pair->key.len) {
            form->npairs++;
        }
    }

    return NGX_CAMPFIRE_BASE_FORM_OK;
}


ngx_int_t
ngx_campfire_base_form_parse(ngx_pool_t *pool, const ngx_str_t *src,
    ngx_campfire_base_form_t *form)
{
    u_char      *p;
    ngx_uint_t   n;

    form->pairs = NULL;
    form->npairs = 0;
    form->reason = NGX_CAMPFIRE_BASE_FORM_OK;

    n = ngx_campfire_base_form_count(src);

    if (n == 0) {
        return NGX_OK;
    }

    if (n > NGX_CAMPFIRE_BASE_FORM_MAX_PAIRS) {
        form->reason = NGX_CAMPFIRE_BASE_FORM_TOO_MANY;
        return NGX_ERROR;
    }

    form->pairs = ngx_palloc(pool, n * sizeof(ngx_campfire_base_form_pair_t));
    p = ngx_pnalloc(pool, src->len);

    if (form->pairs == NULL || p == NULL) {
        form->reason = NGX_CAMPFIRE_BASE_FORM_NO_MEMORY;
        return NGX_ERROR;
    }

    form->reason = ngx_campfire_base_form_fill(form, p, src);

    if (form->reason != NGX_CAMPFIRE_BASE_FORM_OK) {
        form->npairs = 0;
        return NGX_ERROR;
    }

    return ngx_campfire_base_form_check(form);
}


ngx_int_t
ngx_campfire_base_form_check(ngx_campfire_base_form_t *form)
{
    ngx_uint_t                i;
    ngx_campfire_base_form_e  rc;

    rc = NGX_CAMPFIRE_BASE_FORM_OK;

    if (form->npairs > NGX_CAMPFIRE_BASE_FORM_MAX_PAIRS) {
        rc = NGX_CAMPFIRE_BASE_FORM_TOO_MANY;
    }

    for (i = 0; i < form->npairs && rc == NGX_CAMPFIRE_BASE_FORM_OK; i++) {
        rc = ngx_campfire_base_form_check_key(&form->pairs[i].key);
    }

    if (rc == NGX_CAMPFIRE_BASE_FORM_OK) {
        rc = ngx_campfire_base_form_check_conflicts(form);
    }

    form->reason = rc;

    if (rc != NGX_CAMPFIRE_BASE_FORM_OK) {
        form->npairs = 0;
        return NGX_ERROR;
    }

    return NGX_OK;
}


ngx_str_t *
ngx_campfire_base_form_next(const ngx_campfire_base_form_t *form,
    const ngx_str_t *key, ngx_uint_t *pos)
{
    ngx_campfire_base_form_pair_t  *pair;

    while (*pos < form->npairs) {
        pair = &form->pairs[(*pos)++];

        if (pair->key.len == key->len
            && ngx_memcmp(pair->key.data, key->data, key->len) == 0)
        {
            return &pair->value;
        }
    }

    return NULL;
}


ngx_str_t *
ngx_campfire_base_form_first(const ngx_campfire_base_form_t *form,
    const ngx_str_t *key)
{
    ngx_uint_t  pos;

    pos = 0;

    return ngx_campfire_base_form_next(form, key, &pos);
}


ngx_str_t *
ngx_campfire_base_form_last(const ngx_campfire_base_form_t *form,
    const ngx_str_t *key)
{
    ngx_str_t   *value, *next;
    ngx_uint_t   pos;

    pos = 0;
    value = NULL;

    for ( ;; ) {
        next = ngx_campfire_base_form_next(form, key, &pos);
        if (next == NULL) {
            return value;
        }

        value = next;
    }
}
