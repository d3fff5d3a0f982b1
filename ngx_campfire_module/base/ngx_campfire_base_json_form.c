
/*
 * application/json bodies as parameters.
 *
 * The text is looked over once before the parser sees it: a value needs a
 * comma or a bracket, so that the number of commas and the depth bound what
 * the parser allocates.
 */

#include "base/ngx_campfire_base_json_form.h"

#include <math.h>
#include <stdio.h>

#include <jansson.h>


/* More than the longest text of a number: sign, 17 digits, point, exponent. */
#define NGX_CAMPFIRE_BASE_JSON_FORM_NUMBER  96


typedef struct {
    ngx_pool_t                *pool;
    ngx_campfire_base_form_t  *form;
} ngx_campfire_base_json_form_ctx_t;


static ngx_campfire_base_form_e ngx_campfire_base_json_form_scan(
    const ngx_str_t *body, ngx_uint_t *values);
static ngx_campfire_base_form_e ngx_campfire_base_json_form_add(
    ngx_campfire_base_json_form_ctx_t *ctx, const ngx_str_t *key,
    json_t *value);
static ngx_campfire_base_form_e ngx_campfire_base_json_form_object(
    ngx_campfire_base_json_form_ctx_t *ctx, const ngx_str_t *prefix,
    json_t *object);
static ngx_campfire_base_form_e ngx_campfire_base_json_form_array(
    ngx_campfire_base_json_form_ctx_t *ctx, const ngx_str_t *prefix,
    json_t *array);
static ngx_campfire_base_form_e ngx_campfire_base_json_form_scalar(
    ngx_campfire_base_json_form_ctx_t *ctx, const ngx_str_t *key,
    json_t *value);
static size_t ngx_campfire_base_json_form_real(char *buf, double value);


ngx_int_t
ngx_campfire_base_json_form_parse(ngx_pool_t *pool, const ngx_str_t *body,
    ngx_campfire_base_form_t *form)
{
    json_t                             *root;
    ngx_str_t                           key;
    ngx_uint_t                          n;
    json_error_t                        error;
    ngx_campfire_base_json_form_ctx_t   ctx;

    form->pairs = NULL;
    form->npairs = 0;

    form->reason = ngx_campfire_base_json_form_scan(body, &n);
    if (form->reason != NGX_CAMPFIRE_BASE_FORM_OK) {
        return NGX_ERROR;
    }

    form->pairs = ngx_palloc(pool, n * sizeof(ngx_campfire_base_form_pair_t));
    if (form->pairs == NULL) {
        form->reason = NGX_CAMPFIRE_BASE_FORM_NO_MEMORY;
        return NGX_ERROR;
    }

    root = json_loadb((char *) body->data, body->len,
                      JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (root == NULL) {
        switch (json_error_code(&error)) {

        case json_error_invalid_utf8:
            form->reason = NGX_CAMPFIRE_BASE_FORM_BAD_UTF8;
            break;

        case json_error_out_of_memory:
            form->reason = NGX_CAMPFIRE_BASE_FORM_NO_MEMORY;
            break;

        default:
            form->reason = NGX_CAMPFIRE_BASE_FORM_BAD_SYNTAX;
        }

        return NGX_ERROR;
    }

    ctx.pool = pool;
    ctx.form = form;

    if (json_is_object(root)) {
        ngx_str_set(&key, "");
        form->reason = ngx_campfire_base_json_form_object(&ctx, &key, root);

    } else {
        ngx_str_set(&key, "_json");
        form->reason = ngx_campfire_base_json_form_add(&ctx, &key, root);
    }

    json_decref(root);

    if (form->reason != NGX_CAMPFIRE_BASE_FORM_OK) {
        form->npairs = 0;
        return NGX_ERROR;
    }

    return NGX_OK;
}


/* Commas and brackets outside of strings; syntax is the parser's business. */

static ngx_campfire_base_form_e
ngx_campfire_base_json_form_scan(const ngx_str_t *body, ngx_uint_t *values)
{
    u_char      c;
    size_t      i;
    ngx_uint_t  depth, quoted;

    *values = 1;
    depth = 0;
    quoted = 0;

    for (i = 0; i < body->len; i++) {
        c = body->data[i];

        if (quoted) {
            if (c == '\\') {
                i++;

            } else if (c == '"') {
                quoted = 0;
            }

            continue;
        }

        switch (c) {

        case '"':
            quoted = 1;
            break;

        case '{':
        case '[':
            /* the names of the outermost object are not nested */
            if (++depth > NGX_CAMPFIRE_BASE_FORM_MAX_DEPTH + 1) {
                return NGX_CAMPFIRE_BASE_FORM_TOO_DEEP;
            }

            break;

        case '}':
        case ']':
            if (depth == 0) {
                return NGX_CAMPFIRE_BASE_FORM_BAD_SYNTAX;
            }

            depth--;
            break;

        case ',':
            if (++*values > NGX_CAMPFIRE_BASE_FORM_MAX_PAIRS) {
                return NGX_CAMPFIRE_BASE_FORM_TOO_MANY;
            }

            break;
        }
    }

    return NGX_CAMPFIRE_BASE_FORM_OK;
}


static ngx_campfire_base_form_e
ngx_campfire_base_json_form_add(ngx_campfire_base_json_form_ctx_t *ctx,
    const ngx_str_t *key, json_t *value)
{
    switch (json_typeof(value)) {

    case JSON_OBJECT:
        return ngx_campfire_base_json_form_object(ctx, key, value);

    case JSON_ARRAY:
        return ngx_campfire_base_json_form_array(ctx, key, value);

    default:
        return ngx_campfire_base_json_form_scalar(ctx, key, value);
    }
}


static ngx_campfire_base_form_e
ngx_campfire_base_json_form_object(ngx_campfire_base_json_form_ctx_t *ctx,
    const ngx_str_t *prefix, json_t *object)
{
    void                      *iter;
    size_t                     len;
    u_char                    *p;
    ngx_str_t                  key;
    const char                *name;
    ngx_campfire_base_form_e   rc;

    for (iter = json_object_iter(object);
         iter;
         iter = json_object_iter_next(object, iter))
    {
        name = json_object_iter_key(iter);
        len = strlen(name);

        if (len == 0 || strpbrk(name, "[]")) {
            continue;
        }

        p = ngx_pnalloc(ctx->pool, prefix->len + len + 2);
        if (p == NULL) {
            return NGX_CAMPFIRE_BASE_FORM_NO_MEMORY;
        }

        key.data = p;

        if (prefix->len) {
            p = ngx_cpymem(p, prefix->data, prefix->len);
            *p++ = '[';
            p = ngx_cpymem(p, name, len);
            *p++ = ']';

        } else {
            p = ngx_cpymem(p, name, len);
        }

        key.len = (size_t) (p - key.data);

        rc = ngx_campfire_base_json_form_add(ctx, &key,
                                             json_object_iter_value(iter));
        if (rc != NGX_CAMPFIRE_BASE_FORM_OK) {
            return rc;
        }
    }

    return NGX_CAMPFIRE_BASE_FORM_OK;
}


static ngx_campfire_base_form_e
ngx_campfire_base_json_form_array(ngx_campfire_base_json_form_ctx_t *ctx,
    const ngx_str_t *prefix, json_t *array)
{
    u_char                    *p;
    size_t                     i, n;
    json_t                    *value;
    ngx_str_t                  key;
    ngx_campfire_base_form_e   rc;

    n = json_array_size(array);

    if (n == 0) {
        return NGX_CAMPFIRE_BASE_FORM_OK;
    }

    key.len = prefix->len + 2;
    key.data = ngx_pnalloc(ctx->pool, key.len);
    if (key.data == NULL) {
        return NGX_CAMPFIRE_BASE_FORM_NO_MEMORY;
    }

    p = ngx_cpymem(key.data, prefix->data, prefix->len);
    *p++ = '[';
    *p = ']';

    for (i = 0; i < n; i++) {
        value = json_array_get(array, i);

        if (json_is_null(value)) {
            continue;
        }

        rc = ngx_campfire_base_json_form_add(ctx, &key, value);
        if (rc != NGX_CAMPFIRE_BASE_FORM_OK) {
            return rc;
        }
    }

    return NGX_CAMPFIRE_BASE_FORM_OK;
}


static ngx_campfire_base_form_e
ngx_campfire_base_json_form_scalar(ngx_campfire_base_json_form_ctx_t *ctx,
    const ngx_str_t *key, json_t *value)
{
    char                            buf[NGX_CAMPFIRE_BASE_JSON_FORM_NUMBER];
    size_t                          len;
    const char                     *text;
    ngx_campfire_base_form_pair_t  *pair;

    switch (json_typeof(value)) {

    case JSON_STRING:
        text = json_string_value(value);
        len = json_string_length(value);
        break;

    case JSON_INTEGER:
        len = (size_t) snprintf(buf, sizeof(buf), "%lld",
                                (long long) json_integer_value(value));
        text = buf;
        break;

    case JSON_REAL:
        len = ngx_campfire_base_json_form_real(buf, json_real_value(value));
        text = buf;
        break;

    case JSON_TRUE:
        text = "true";
        len = 4;
        break;

    case JSON_FALSE:
        text = "false";
        len = 5;
        break;

    default: /* JSON_NULL */
        text = NULL;
        len = 0;
        break;
    }

    /* the scan has bounded the number of scalars */

    pair = &ctx->form->pairs[ctx->form->npairs++];

    pair->key = *key;
    pair->value.len = len;
    pair->value.data = NULL;

    if (text) {
        pair->value.data = ngx_pnalloc(ctx->pool, len + 1);
        if (pair->value.data == NULL) {
            return NGX_CAMPFIRE_BASE_FORM_NO_MEMORY;
        }

        ngx_memcpy(pair->value.data, text, len);
    }

    return NGX_CAMPFIRE_BASE_FORM_OK;
}


/*
 * As Float#to_s: the fewest digits that read back as the same number, at
 * least one after the point, an exponent below 1e-4 and from 1e16 on.
 */

static size_t
ngx_campfire_base_json_form_real(char *buf, double value)
{
    int          digits, exponent, i;
    char        *p, *e;
    char         text[32];
    const char  *d;

    p = buf;

    if (signbit(value)) {
        *p++ = '-';
        value = -value;
    }

    for (digits = 0; digits < 17; digits++) {
        (void) snprintf(text, sizeof(text), "%.*e", digits, value);

        if (strtod(text, NULL) == value) {
            break;
        }
    }

    /* d.ddde+dd: the digits without the point, and the exponent */

    e = strchr(text, 'e');
    exponent = atoi(e + 1);
    *e = '\0';

    if (text[1]) {
        memmove(text + 1, text + 2, strlen(text + 2) + 1);
    }

    d = text;
    digits = (int) strlen(text);

    if (exponent < -4 || exponent >= 16) {
        *p++ = *d++;
        *p++ = '.';
        p += sprintf(p, "%s", *d ? d : "0");
        p += sprintf(p, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));

        return (size_t) (p - buf);
    }

    if (exponent < 0) {
        *p++ = '0';
        *p++ = '.';

        for (i = exponent; i < -1; i++) {
            *p++ = '0';
        }

        p += sprintf(p, "%s", d);

        return (size_t) (p - buf);
    }

    for (i = 0; i <= exponent; i++) {
        *p++ = (i < digits) ? *d++ : '0';
    }

    *p++ = '.';
    p += sprintf(p, "%s", *d ? d : "0");

    return (size_t) (p - buf);
}
