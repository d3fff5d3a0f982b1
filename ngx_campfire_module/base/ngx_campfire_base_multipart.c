
/*
 * multipart/form-data bodies.
 *
 *   preamble CRLF --boundary CRLF headers CRLF CRLF data
 *            CRLF --boundary CRLF ...
 *            CRLF --boundary-- epilogue
 *
 * The first delimiter may lack its CRLF at the start of the body, and so may
 * one right behind the headers.  Blanks may follow a boundary.
 */

#include "base/ngx_campfire_base_multipart.h"
#include "base/ngx_campfire_base_utf8.h"


typedef struct {
    ngx_pool_t                     *pool;
    u_char                         *pos;       /* behind the last delimiter */
    u_char                         *last;
    ngx_str_t                       boundary;
    ngx_campfire_base_multipart_t  *mp;
    ngx_uint_t                      seen;      /* parts, also those left out */
    unsigned                        closed:1;  /* the last one was seen */
} ngx_campfire_base_multipart_ctx_t;


typedef struct {
    ngx_str_t                       name;
    ngx_str_t                       filename;
    ngx_str_t                       filename_star;
    unsigned                        has_filename:1;
    unsigned                        has_filename_star:1;
} ngx_campfire_base_multipart_names_t;


/* What is taken off the parameters of a header, one after the other. */
typedef struct {
    u_char                         *pos;
    u_char                         *last;
    ngx_str_t                       name;
    ngx_str_t                       value;     /* without the quotes */
    unsigned                        quoted:1;
} ngx_campfire_base_multipart_param_t;


static ngx_campfire_base_form_e ngx_campfire_base_multipart_boundary(
    const ngx_str_t *type, ngx_str_t *boundary);
static ngx_int_t ngx_campfire_base_multipart_delimiter(
    ngx_campfire_base_multipart_ctx_t *ctx, u_char *p);
static ngx_int_t ngx_campfire_base_multipart_next(
    ngx_campfire_base_multipart_ctx_t *ctx, ngx_str_t *data);
static ngx_campfire_base_form_e ngx_campfire_base_multipart_part(
    ngx_campfire_base_multipart_ctx_t *ctx);
static u_char *ngx_campfire_base_multipart_headers_end(
    ngx_campfire_base_multipart_ctx_t *ctx);
static ngx_campfire_base_form_e ngx_campfire_base_multipart_headers(
    ngx_campfire_base_multipart_ctx_t *ctx, u_char *p, u_char *last,
    ngx_campfire_base_multipart_names_t *names, ngx_str_t *type);
static ngx_campfire_base_form_e ngx_campfire_base_multipart_disposition(
    ngx_pool_t *pool, ngx_str_t *header,
    ngx_campfire_base_multipart_names_t *names);
static ngx_uint_t ngx_campfire_base_multipart_blank(u_char c);
static ngx_uint_t ngx_campfire_base_multipart_param(
    ngx_campfire_base_multipart_param_t *param);
static ngx_int_t ngx_campfire_base_multipart_unquote(ngx_pool_t *pool,
    ngx_campfire_base_multipart_param_t *param, ngx_uint_t file,
    ngx_str_t *dst);
static ngx_campfire_base_form_e ngx_campfire_base_multipart_name(
    ngx_str_t *name);
static ngx_campfire_base_form_e ngx_campfire_base_multipart_filename(
    ngx_pool_t *pool, ngx_campfire_base_multipart_names_t *names);
static void ngx_campfire_base_multipart_unescape(ngx_str_t *s);
static ngx_int_t ngx_campfire_base_multipart_scrub(ngx_pool_t *pool,
    ngx_str_t *s, ngx_uint_t latin1);
static int ngx_campfire_base_multipart_hex(u_char c);
static ngx_uint_t ngx_campfire_base_multipart_is(const ngx_str_t *s,
    const char *word);


ngx_int_t
ngx_campfire_base_multipart_parse(ngx_pool_t *pool, const ngx_str_t *type,
    const ngx_str_t *body, ngx_campfire_base_multipart_t *mp)
{
    ngx_str_t                          skipped;
    ngx_campfire_base_multipart_ctx_t  ctx;

    mp->parts = NULL;
    mp->nparts = 0;

    mp->reason = ngx_campfire_base_multipart_boundary(type, &ctx.boundary);
    if (mp->reason != NGX_CAMPFIRE_BASE_FORM_OK) {
        return NGX_ERROR;
    }

    ctx.pool = pool;
    ctx.pos = body->data;
    ctx.last = body->data + body->len;
    ctx.mp = mp;
    ctx.seen = 0;
    ctx.closed = 0;

    mp->parts = ngx_palloc(pool, NGX_CAMPFIRE_BASE_MULTIPART_MAX_PARTS
                                 * sizeof(ngx_campfire_base_multipart_part_t));
    if (mp->parts == NULL) {
        mp->reason = NGX_CAMPFIRE_BASE_FORM_NO_MEMORY;
        return NGX_ERROR;
    }

    if (ngx_campfire_base_multipart_next(&ctx, &skipped) != NGX_OK) {
        mp->reason = NGX_CAMPFIRE_BASE_FORM_BAD_SYNTAX;
        return NGX_ERROR;
    }

    while (!ctx.closed) {
        mp->reason = ngx_campfire_base_multipart_part(&ctx);

        if (mp->reason != NGX_CAMPFIRE_BASE_FORM_OK) {
            mp->nparts = 0;
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_base_multipart_form(ngx_pool_t *pool,
    const ngx_campfire_base_multipart_t *mp, ngx_campfire_base_form_t *form)
{
    ngx_uint_t                           i, n;
    ngx_campfire_base_form_pair_t       *pair;
    ngx_campfire_base_multipart_part_t  *part;

    form->pairs = NULL;
    form->npairs = 0;
    form->reason = NGX_CAMPFIRE_BASE_FORM_OK;

    if (mp->nparts == 0) {
        return NGX_OK;
    }

    form->pairs = ngx_palloc(pool, mp->nparts
                                   * sizeof(ngx_campfire_base_form_pair_t));
    if (form->pairs == NULL) {
        form->reason = NGX_CAMPFIRE_BASE_FORM_NO_MEMORY;
        return NGX_ERROR;
    }

    for (i = 0; i < mp->nparts; i++) {
        part = &mp->parts[i];

        if (!part->file
            && !ngx_campfire_base_utf8_valid(part->data.data, part->data.len))
        {
            form->reason = NGX_CAMPFIRE_BASE_FORM_BAD_UTF8;
            return NGX_ERROR;
        }

        form->pairs[i].key = part->name;
        form->pairs[i].value = part->data;
    }

    form->npairs = mp->nparts;

    if (ngx_campfire_base_form_check(form) != NGX_OK) {
        return NGX_ERROR;
    }

    n = 0;

    for (i = 0; i < mp->nparts; i++) {
        if (!mp->parts[i].file) {
            pair = &form->pairs[n++];
            *pair = form->pairs[i];
        }
    }

    form->npairs = n;

    return NGX_OK;
}


ngx_campfire_base_multipart_part_t *
ngx_campfire_base_multipart_file(const ngx_campfire_base_multipart_t *mp,
    const ngx_str_t *name)
{
    ngx_uint_t                           i;
    ngx_campfire_base_multipart_part_t  *part;

    for (i = mp->nparts; i > 0; i--) {
        part = &mp->parts[i - 1];

        if (part->file && part->name.len == name->len
            && ngx_memcmp(part->name.data, name->data, name->len) == 0)
        {
            return part;
        }
    }

    return NULL;
}


static ngx_campfire_base_form_e
ngx_campfire_base_multipart_boundary(const ngx_str_t *type,
    ngx_str_t *boundary)
{
    u_char                               *last;
    size_t                                i;
    ngx_uint_t                            found;
    ngx_campfire_base_multipart_param_t   param;

    found = 0;
    param.pos = type->data;
    param.last = type->data + type->len;

    while (ngx_campfire_base_multipart_param(&param)) {

        if (!ngx_campfire_base_multipart_is(&param.name, "boundary")) {
            continue;
        }

        /* two of them: whichever is right, somebody was misled */
        if (found++) {
            return NGX_CAMPFIRE_BASE_FORM_BAD_SYNTAX;
        }

        *boundary = param.value;
    }

    if (!found || boundary->len == 0
        || boundary->len > NGX_CAMPFIRE_BASE_MULTIPART_MAX_BOUNDARY)
    {
        return NGX_CAMPFIRE_BASE_FORM_BAD_SYNTAX;
    }

    for (i = 0; i < boundary->len; i++) {
        if (boundary->data[i] < 0x20 || boundary->data[i] > 0x7e
            || boundary->data[i] == '\\')
        {
            return NGX_CAMPFIRE_BASE_FORM_BAD_SYNTAX;
        }
    }

    /* blanks behind a boundary are padding and cannot belong to it */
    last = boundary->data + boundary->len - 1;

    return *last == ' ' ? NGX_CAMPFIRE_BASE_FORM_BAD_SYNTAX
                        : NGX_CAMPFIRE_BASE_FORM_OK;
}


/* Whether a delimiter stands at p; if so, advances past it. */

static ngx_int_t
ngx_campfire_base_multipart_delimiter(ngx_campfire_base_multipart_ctx_t *ctx,
    u_char *p)
{
    size_t  len;

    len = ctx->boundary.len;

    if ((size_t) (ctx->last - p) < len + 4
        || p[0] != '-' || p[1] != '-'
        || ngx_memcmp(p + 2, ctx->boundary.data, len) != 0)
    {
        return NGX_DECLINED;
    }

    p += len + 2;

    if (p[0] == '-' && p[1] == '-') {
        ctx->closed = 1;
        ctx->pos = p + 2;
        return NGX_OK;
    }

    while (p < ctx->last && (*p == ' ' || *p == '\t')) {
        p++;
    }

    if (ctx->last - p < 2 || p[0] != '\r' || p[1] != '\n') {
        return NGX_DECLINED;
    }

    ctx->pos = p + 2;

    return NGX_OK;
}


/* What stands before the next delimiter, which is passed. */

static ngx_int_t
ngx_campfire_base_multipart_next(ngx_campfire_base_multipart_ctx_t *ctx,
    ngx_str_t *data)
{
    u_char  *p, *last;

    last = ctx->last;
    data->data = ctx->pos;
    data->len = 0;

    if (ngx_campfire_base_multipart_delimiter(ctx, ctx->pos) == NGX_OK) {
        return NGX_OK;
    }

    for (p = ctx->pos; p < last; p++) {
        p = memchr(p, '\r', (size_t) (last - p));

        if (p == NULL || last - p < 2) {
            break;
        }

        if (p[1] == '\n'
            && ngx_campfire_base_multipart_delimiter(ctx, p + 2) == NGX_OK)
        {
            data->len = (size_t) (p - data->data);
            return NGX_OK;
        }
    }

    return NGX_DECLINED;
}


static ngx_campfire_base_form_e
ngx_campfire_base_multipart_part(ngx_campfire_base_multipart_ctx_t *ctx)
{
    u_char                               *p, *last;
    ngx_campfire_base_form_e              rc;
    ngx_campfire_base_multipart_part_t   *part;
    ngx_campfire_base_multipart_names_t   names;

    if (ctx->seen++ == NGX_CAMPFIRE_BASE_MULTIPART_MAX_PARTS) {
        return NGX_CAMPFIRE_BASE_FORM_TOO_MANY;
    }

    part = &ctx->mp->parts[ctx->mp->nparts];
    ngx_memzero(part, sizeof(ngx_campfire_base_multipart_part_t));

    p = ctx->pos;
    last = ngx_campfire_base_multipart_headers_end(ctx);
    if (last == NULL) {
        return ctx->last - p > NGX_CAMPFIRE_BASE_MULTIPART_MAX_HEADERS
               ? NGX_CAMPFIRE_BASE_FORM_TOO_LARGE
               : NGX_CAMPFIRE_BASE_FORM_BAD_SYNTAX;
    }

    rc = ngx_campfire_base_multipart_headers(ctx, p, last, &names,
                                             &part->type);
    if (rc != NGX_CAMPFIRE_BASE_FORM_OK) {
        return rc;
    }

    if (ngx_campfire_base_multipart_next(ctx, &part->data) != NGX_OK) {
        return NGX_CAMPFIRE_BASE_FORM_BAD_SYNTAX;
    }

    rc = ngx_campfire_base_multipart_name(&names.name);
    if (rc != NGX_CAMPFIRE_BASE_FORM_OK) {
        return rc;
    }

    if (names.has_filename || names.has_filename_star) {
        part->file = 1;

        rc = ngx_campfire_base_multipart_filename(ctx->pool, &names);
        if (rc != NGX_CAMPFIRE_BASE_FORM_OK) {
            return rc;
        }
    }

    part->name = names.name;
    part->filename = names.filename;

    if (part->name.len && (!part->file || part->filename.len)) {
        ctx->mp->nparts++;
    }

    return NGX_CAMPFIRE_BASE_FORM_OK;
}


/* The headers end there, and ctx->pos is then the start of the data. */

static u_char *
ngx_campfire_base_multipart_headers_end(ngx_campfire_base_multipart_ctx_t *ctx)
{
    u_char  *p, *last;

    p = ctx->pos;
    last = ctx->last;

    if (last - p >= 2 && p[0] == '\r' && p[1] == '\n') {
        ctx->pos = p + 2;
        return p;
    }

    if (last - p > NGX_CAMPFIRE_BASE_MULTIPART_MAX_HEADERS) {
        last = p + NGX_CAMPFIRE_BASE_MULTIPART_MAX_HEADERS;
    }

    for (/* void */ ; last - p >= 4; p++) {
        if (p[0] == '\r' && p[1] == '\n' && p[2] == '\r' && p[3] == '\n') {
            ctx->pos = p + 4;
            return p;
        }
    }

    return NULL;
}


/* The first header of a name counts; a line that starts blank continues. */

static ngx_campfire_base_form_e
ngx_campfire_base_multipart_headers(ngx_campfire_base_multipart_ctx_t *ctx,
    u_char *p, u_char *last, ngx_campfire_base_multipart_names_t *names,
    ngx_str_t *type)
{
    size_t      i;
    u_char     *colon;
    ngx_str_t   name, value, disposition;

    ngx_memzero(names, sizeof(ngx_campfire_base_multipart_names_t));
    ngx_str_set(&disposition, "");
    colon = NULL;
    name.data = p;

    for (/* void */ ; p <= last; p++) {

        if (p < last) {
            if (*p == ':' && colon == NULL) {
                colon = p;
            }

            if (*p != '\r' || last - p < 2 || p[1] != '\n'
                || (last - p > 2 && (p[2] == ' ' || p[2] == '\t')))
            {
                continue;
            }
        }

        if (colon) {
            name.len = (size_t) (colon - name.data);
            value.data = colon + 1;
            value.len = (size_t) (p - value.data);

            while (value.len && (*value.data == ' ' || *value.data == '\t')) {
                value.data++;
                value.len--;
            }

            if (disposition.len == 0
                && ngx_campfire_base_multipart_is(&name,
                                                  "content-disposition"))
            {
                disposition = value;

            } else if (type->len == 0
                       && ngx_campfire_base_multipart_is(&name,
                                                         "content-type"))
            {
                *type = value;
            }
        }

        colon = NULL;
        p++;
        name.data = p + 1;
    }

    /* it may come back as a header of ours: no control characters in it */

    while (type->len && type->data[type->len - 1] == ' ') {
        type->len--;
    }

    for (i = 0; i < type->len; i++) {
        if (type->data[i] < 0x20 || type->data[i] > 0x7e) {
            type->len = 0;
        }
    }

    return ngx_campfire_base_multipart_disposition(ctx->pool, &disposition,
                                                   names);
}


static ngx_campfire_base_form_e
ngx_campfire_base_multipart_disposition(ngx_pool_t *pool, ngx_str_t *header,
    ngx_campfire_base_multipart_names_t *names)
{
    ngx_str_t                            *dst;
    ngx_uint_t                            file;
    ngx_campfire_base_multipart_param_t   param;

    param.pos = header->data;
    param.last = header->data + header->len;

    while (ngx_campfire_base_multipart_param(&param)) {
        file = 0;

        if (ngx_campfire_base_multipart_is(&param.name, "name")) {
            dst = &names->name;

        } else if (ngx_campfire_base_multipart_is(&param.name, "filename")) {
            dst = &names->filename;
            names->has_filename = 1;
            file = 1;

        } else if (ngx_campfire_base_multipart_is(&param.name, "filename*")) {
            dst = &names->filename_star;
            names->has_filename_star = 1;

        } else {
            continue;
        }

        if (ngx_campfire_base_multipart_unquote(pool, &param, file, dst)
            != NGX_OK)
        {
            return NGX_CAMPFIRE_BASE_FORM_NO_MEMORY;
        }
    }

    return NGX_CAMPFIRE_BASE_FORM_OK;
}


static ngx_uint_t
ngx_campfire_base_multipart_blank(u_char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}


/*
 * The next "; name=value", or 0 if there is none.  A quote that is not
 * closed ends with the header.
 */

static ngx_uint_t
ngx_campfire_base_multipart_param(ngx_campfire_base_multipart_param_t *param)
{
    u_char  *p, *last;

    p = param->pos;
    last = param->last;

    while (p < last && *p != ';') {
        p++;
    }

    if (p == last) {
        return 0;
    }

    do {
        p++;
    } while (p < last && ngx_campfire_base_multipart_blank(*p));

    param->name.data = p;

    while (p < last && *p != '=' && *p != ';'
           && !ngx_campfire_base_multipart_blank(*p))
    {
        p++;
    }

    param->name.len = (size_t) (p - param->name.data);
    param->value.data = p;
    param->value.len = 0;
    param->quoted = 0;

    while (p < last && ngx_campfire_base_multipart_blank(*p)) {
        p++;
    }

    if (p == last || *p != '=') {
        param->pos = p;
        return 1;
    }

    do {
        p++;
    } while (p < last && ngx_campfire_base_multipart_blank(*p));

    if (p < last && *p == '"') {
        param->quoted = 1;
        param->value.data = ++p;

        while (p < last && *p != '"') {
            p += (*p == '\\' && last - p > 1) ? 2 : 1;
        }

        param->value.len = (size_t) (p - param->value.data);
        param->pos = p < last ? p + 1 : p;

        return 1;
    }

    param->value.data = p;

    while (p < last && *p != ';') {
        p++;
    }

    param->pos = p;

    while (p > param->value.data && ngx_campfire_base_multipart_blank(p[-1])) {
        p--;
    }

    param->value.len = (size_t) (p - param->value.data);

    return 1;
}


/*
 * A copy without backslashes and line ends.  In the name of a file only \"
 * is an escape: old browsers send paths like C:\new.txt as they are.
 */

static ngx_int_t
ngx_campfire_base_multipart_unquote(ngx_pool_t *pool,
    ngx_campfire_base_multipart_param_t *param, ngx_uint_t file,
    ngx_str_t *dst)
{
    size_t   i;
    u_char   c, *p, *src;

    src = param->value.data;

    p = ngx_pnalloc(pool, param->value.len + 1);
    if (p == NULL) {
        return NGX_ERROR;
    }

    dst->data = p;

    for (i = 0; i < param->value.len; i++) {
        c = src[i];

        if (param->quoted) {
            if (c == '\r' || c == '\n') {
                continue;
            }

            if (c == '\\' && i + 1 < param->value.len
                && (!file || src[i + 1] == '"'))
            {
                c = src[++i];
            }
        }

        *p++ = c;
    }

    dst->len = (size_t) (p - dst->data);

    return NGX_OK;
}


/* Browsers write the three characters that would break a header as %XX. */

static ngx_campfire_base_form_e
ngx_campfire_base_multipart_name(ngx_str_t *name)
{
    int      c;
    size_t   i;
    u_char  *p;

    p = name->data;

    for (i = 0; i < name->len; i++) {
        *p = name->data[i];

        if (*p == '%' && name->len - i > 2) {
            c = ngx_campfire_base_multipart_hex(name->data[i + 1]) * 16
                + ngx_campfire_base_multipart_hex(name->data[i + 2]);

            if (c == '"' || c == '\r' || c == '\n') {
                *p = (u_char) c;
                i += 2;
            }
        }

        if (*p == '\0') {
            return NGX_CAMPFIRE_BASE_FORM_BAD_SYNTAX;
        }

        p++;
    }

    name->len = (size_t) (p - name->data);

    return ngx_campfire_base_utf8_valid(name->data, name->len)
           ? NGX_CAMPFIRE_BASE_FORM_OK : NGX_CAMPFIRE_BASE_FORM_BAD_UTF8;
}


/*
 * names->filename becomes the last segment of the path that was sent, with
 * U+FFFD for what is no UTF-8; filename* comes before filename.
 */

static ngx_campfire_base_form_e
ngx_campfire_base_multipart_filename(ngx_pool_t *pool,
    ngx_campfire_base_multipart_names_t *names)
{
    u_char      *p, *q, *last;
    ngx_str_t    charset, *file;
    ngx_uint_t   latin1;

    latin1 = 0;
    file = &names->filename;

    if (names->has_filename_star) {
        /* charset'language'value */

        p = names->filename_star.data;
        last = p + names->filename_star.len;
        q = memchr(p, '\'', names->filename_star.len);

        if (q) {
            charset.data = p;
            charset.len = (size_t) (q - p);
            p = q + 1;
            q = memchr(p, '\'', (size_t) (last - p));
        }

        if (q) {
            latin1 = ngx_campfire_base_multipart_is(&charset, "iso-8859-1");
            file->data = q + 1;
            file->len = (size_t) (last - file->data);
        }
    }

    if (file->len == 0) {
        return NGX_CAMPFIRE_BASE_FORM_OK;
    }

    ngx_campfire_base_multipart_unescape(file);

    if (memchr(file->data, '\0', file->len)) {
        return NGX_CAMPFIRE_BASE_FORM_BAD_SYNTAX;
    }

    last = file->data + file->len;

    while (last > file->data && (last[-1] == '/' || last[-1] == '\\')) {
        last--;
    }

    p = last;

    while (p > file->data && p[-1] != '/' && p[-1] != '\\') {
        p--;
    }

    file->data = p;
    file->len = (size_t) (last - p);

    return ngx_campfire_base_multipart_scrub(pool, file, latin1) == NGX_OK
           ? NGX_CAMPFIRE_BASE_FORM_OK : NGX_CAMPFIRE_BASE_FORM_NO_MEMORY;
}


/* Undoes %XX in place if every % is followed by two digits, as Rack does. */

static void
ngx_campfire_base_multipart_unescape(ngx_str_t *s)
{
    size_t   i;
    u_char  *p, *src;

    src = s->data;

    for (i = 0; i < s->len; i++) {
        if (src[i] == '%'
            && (s->len - i < 3
                || ngx_campfire_base_multipart_hex(src[i + 1]) < 0
                || ngx_campfire_base_multipart_hex(src[i + 2]) < 0))
        {
            return;
        }
    }

    p = src;

    for (i = 0; i < s->len; i++) {
        if (src[i] != '%') {
            *p++ = src[i];
            continue;
        }

        *p++ = (u_char) (ngx_campfire_base_multipart_hex(src[i + 1]) * 16
                         + ngx_campfire_base_multipart_hex(src[i + 2]));
        i += 2;
    }

    s->len = (size_t) (p - s->data);
}


static ngx_int_t
ngx_campfire_base_multipart_scrub(ngx_pool_t *pool, ngx_str_t *s,
    ngx_uint_t latin1)
{
    u_char        *dst;
    uint32_t       cp;
    const u_char  *p, *from, *last;

    if (!latin1 && ngx_campfire_base_utf8_valid(s->data, s->len)) {
        return NGX_OK;
    }

    dst = ngx_pnalloc(pool, s->len * 3);
    if (dst == NULL) {
        return NGX_ERROR;
    }

    p = s->data;
    last = p + s->len;
    s->data = dst;

    while (p < last) {
        from = p;

        if (latin1) {
            cp = *p++;

            if (cp >= 0x80) {
                *dst++ = (u_char) (0xc0 | cp >> 6);
                *dst++ = (u_char) (0x80 | (cp & 0x3f));

            } else {
                *dst++ = (u_char) cp;
            }

        } else if (ngx_campfire_base_utf8_decode(&p, last, &cp) == NGX_OK) {
            dst = ngx_cpymem(dst, from, (size_t) (p - from));

        } else {
            dst = ngx_cpymem(dst, "\xef\xbf\xbd", 3);
            p++;
        }
    }

    s->len = (size_t) (dst - s->data);

    return NGX_OK;
}


/* The value of a digit; so low otherwise that two never make a byte. */

static int
ngx_campfire_base_multipart_hex(u_char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    c |= 0x20;

    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }

    return -256;
}


static ngx_uint_t
ngx_campfire_base_multipart_is(const ngx_str_t *s, const char *word)
{
    u_char  c;
    size_t  i;

    for (i = 0; i < s->len; i++) {
        c = s->data[i];

        if (c >= 'A' && c <= 'Z') {
            c |= 0x20;
        }

        if (word[i] == '\0' || c != (u_char) word[i]) {
            return 0;
        }
    }

    return word[i] == '\0';
}
