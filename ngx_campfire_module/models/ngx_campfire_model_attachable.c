
/*
 * Signed global ids.
 *
 *   base64(JSON) "--" hex(HMAC-SHA1)
 *
 * JSON is one of
 *
 *   {"_rails":{"data":"gid://campfire/User/1?expires_in","pur":"attachable"}}
 *   {"_rails":{"message":BASE64,"exp":null,"pur":"attachable"}}
 *   {"gid":"gid://campfire/User/1","purpose":"attachable","expires_at":null}
 *
 * where BASE64 is a Ruby object that is searched for the id and never
 * unmarshalled.  A person is shown whatever the signature says, so that
 * mentions outlive a changed secret; he is notified only if it is valid.
 */

#include "models/ngx_campfire_model_attachable.h"
#include "models/ngx_campfire_model_user.h"
#include "base/ngx_campfire_base_base64.h"
#include "base/ngx_campfire_base_time.h"
#include "rails/ngx_campfire_rails_signed_id.h"

#include <jansson.h>


#define NGX_CAMPFIRE_MODEL_ATTACHABLE_SGID   4096   /* bytes; ours have 130 */
#define NGX_CAMPFIRE_MODEL_ATTACHABLE_USERS  4096   /* preloaded at most */

#define ngx_campfire_model_attachable_is_sgid(c)                              \
    (((c) >= 'a' && (c) <= 'z') || ((c) >= 'A' && (c) <= 'Z')                 \
     || ((c) >= '0' && (c) <= '9') || (c) == '+' || (c) == '/'                \
     || (c) == '-' || (c) == '_' || (c) == '=')


static ngx_int_t ngx_campfire_model_attachable_find(void *data,
    ngx_pool_t *pool, const ngx_campfire_richtext_attachment_t *attachment,
    ngx_campfire_richtext_attachable_t *attachable);
static ngx_int_t ngx_campfire_model_attachable_lookup(
    ngx_campfire_model_attachable_t *a, ngx_pool_t *pool, int64_t id,
    ngx_campfire_user_t *found, ngx_campfire_user_t **user);
static ngx_int_t ngx_campfire_model_attachable_scan(ngx_pool_t *pool,
    const ngx_str_t *body, ngx_array_t *ids);
static ngx_int_t ngx_campfire_model_attachable_parse(ngx_pool_t *pool,
    const ngx_str_t *payload, ngx_uint_t trusted, int64_t *id);
static ngx_int_t ngx_campfire_model_attachable_gid(const u_char *p,
    size_t len, int64_t *id);
static void ngx_campfire_model_attachable_sort(ngx_array_t *ids);
static int ngx_libc_cdecl ngx_campfire_model_attachable_compare(
    const void *one, const void *two);


void
ngx_campfire_model_attachable_init(ngx_campfire_model_attachable_t *a,
    ngx_campfire_db_conn_t *conn, ngx_pool_t *pool,
    ngx_campfire_signers_t *signers, const ngx_str_t *base_url)
{
    u_char  *p, *last;

    ngx_memzero(a, sizeof(ngx_campfire_model_attachable_t));

    a->conn = conn;
    a->pool = pool;
    a->signers = signers;
    a->resolver.find = ngx_campfire_model_attachable_find;
    a->resolver.data = a;
    ngx_str_set(&a->prefix, "");

    if (base_url == NULL || base_url->len == 0) {
        return;
    }

    /* the host of "https://host:port/chat", also when that is "[::1]" */

    p = base_url->data;
    last = p + base_url->len;

    p = ngx_strlchr(p, last, '/');
    if (p == NULL || last - p < 3 || p[1] != '/') {
        return;
    }

    p += 2;
    a->resolver.host.data = p;

    if (*p == '[') {
        while (p < last && *p != ']') {
            p++;
        }
    }

    while (p < last && *p != ':' && *p != '/') {
        p++;
    }

    a->resolver.host.len = p - a->resolver.host.data;

    p = ngx_strlchr(p, last, '/');
    if (p) {
        a->prefix.data = p;
        a->prefix.len = last - p - (last[-1] == '/' ? 1 : 0);
    }
}


static ngx_int_t
ngx_campfire_model_attachable_find(void *data, ngx_pool_t *pool,
    const ngx_campfire_richtext_attachment_t *attachment,
    ngx_campfire_richtext_attachable_t *attachable)
{
    int64_t                           id;
    ngx_int_t                         rc;
    ngx_campfire_user_t              *user, found;
    ngx_str_t                         avatar;
    ngx_campfire_richtext_mention_t   mention;
    ngx_campfire_model_attachable_t  *a = data;

    rc = ngx_campfire_model_attachable_user_id(pool,
                 &attachment->values[NGX_CAMPFIRE_RICHTEXT_SGID], &id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_attachable_lookup(a, pool, id, &found, &user);
    if (rc != NGX_OK) {
        return rc;
    }

    attachable->mention = 1;
    attachable->text.len = user->name.len + 1;
    attachable->text.data = ngx_pnalloc(pool, attachable->text.len);
    if (attachable->text.data == NULL) {
        return NGX_ERROR;
    }

    attachable->text.data[0] = '@';
    ngx_memcpy(attachable->text.data + 1, user->name.data, user->name.len);

    if (attachment->text_only) {
        return NGX_OK;
    }

    ngx_str_set(&attachable->values[NGX_CAMPFIRE_RICHTEXT_CONTENT_TYPE],
                "application/octet-stream");

    mention.id = user->id;
    mention.name = user->name;
    mention.bio = user->bio;

    if (ngx_campfire_model_attachable_sgid(pool, a->signers, user->id,
                                           &mention.sgid)
        != NGX_OK
        || ngx_campfire_model_attachable_avatar(pool, a->signers, user,
                                                &avatar)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    mention.avatar.len = a->prefix.len + avatar.len;
    mention.avatar.data = ngx_pnalloc(pool, mention.avatar.len);
    if (mention.avatar.data == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(ngx_cpymem(mention.avatar.data, a->prefix.data, a->prefix.len),
               avatar.data, avatar.len);

    return ngx_campfire_richtext_mention(pool, &mention, &attachable->html);
}


/* From what was preloaded, else from the table. */
static ngx_int_t
ngx_campfire_model_attachable_lookup(ngx_campfire_model_attachable_t *a,
    ngx_pool_t *pool, int64_t id, ngx_campfire_user_t *found,
    ngx_campfire_user_t **user)
{
    ngx_uint_t  low, high, mid;

    if (a->asked.nelts == 0
        || bsearch(&id, a->asked.elts, a->asked.nelts, sizeof(int64_t),
                   ngx_campfire_model_attachable_compare)
           == NULL)
    {
        *user = found;
        return ngx_campfire_model_user_find(a->conn, pool, id, found);
    }

    low = 0;
    high = a->users.nelts;

    while (low < high) {
        mid = low + (high - low) / 2;

        if (a->users.elts[mid].id == id) {
            *user = &a->users.elts[mid];
            return NGX_OK;
        }

        if (a->users.elts[mid].id < id) {
            low = mid + 1;

        } else {
            high = mid;
        }
    }

    return NGX_DECLINED;
}


ngx_int_t
ngx_campfire_model_attachable_preload(ngx_campfire_model_attachable_t *a,
    const ngx_str_t *bodies, ngx_uint_t n)
{
    ngx_uint_t   i;
    ngx_array_t  ids;

    if (ngx_array_init(&ids, a->pool, 8, sizeof(int64_t)) != NGX_OK) {
        return NGX_ERROR;
    }

    for (i = 0; i < n; i++) {
        if (ngx_campfire_model_attachable_scan(a->pool, &bodies[i], &ids)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    ngx_campfire_model_attachable_sort(&ids);

    a->asked.elts = ids.elts;
    a->asked.nelts = ids.nelts;

    if (ids.nelts == 0) {
        return NGX_OK;
    }

    return ngx_campfire_model_user_list_ids(a->conn, a->pool, ids.elts,
                                            ids.nelts, &a->users);
}


/*
 * Looks for sgid="..." in the text, and for the JSON of old editors in an
 * attribute, rather than parse every body twice.  What is between the name
 * and the value are quotes, signs and entities; the value has only
 * characters of Base64.  One that is missed costs a statement.
 */
static ngx_int_t
ngx_campfire_model_attachable_scan(ngx_pool_t *pool, const ngx_str_t *body,
    ngx_array_t *ids)
{
    u_char     *p, *last;
    int64_t    *id, n;
    ngx_int_t   rc;
    ngx_str_t   sgid;

    if (body->len == 0) {
        return NGX_OK;
    }

    p = body->data;
    last = p + body->len;

    while (ids->nelts < NGX_CAMPFIRE_MODEL_ATTACHABLE_USERS) {

        p = ngx_strlcasestrn(p, last, (u_char *) "sgid", 4 - 1);
        if (p == NULL) {
            break;
        }

        p += 4;

        while (p < last && (*p == '"' || *p == '=' || *p == ':' || *p == ' '
                            || *p == '&'))
        {
            if (*p++ != '&') {
                continue;
            }

            while (p < last && ngx_campfire_model_attachable_is_sgid(*p)) {
                p++;
            }

            if (p < last && *p == ';') {
                p++;
            }
        }

        sgid.data = p;

        while (p < last && ngx_campfire_model_attachable_is_sgid(*p)) {
            p++;
        }

        sgid.len = p - sgid.data;

        rc = ngx_campfire_model_attachable_user_id(pool, &sgid, &n);

        if (rc == NGX_DECLINED) {
            continue;
        }

        if (rc != NGX_OK) {
            return rc;
        }

        id = ngx_array_push(ids);
        if (id == NULL) {
            return NGX_ERROR;
        }

        *id = n;
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_attachable_mentions(ngx_pool_t *pool,
    ngx_campfire_signers_t *signers, const ngx_str_t *body,
    ngx_campfire_ids_t *ids)
{
    int64_t      *id, n;
    ngx_int_t     rc;
    ngx_str_t    *sgids;
    ngx_uint_t    i, nsgids;
    ngx_array_t   found;

    if (ngx_array_init(&found, pool, 4, sizeof(int64_t)) != NGX_OK
        || ngx_campfire_richtext_sgids(pool, body, &sgids, &nsgids) != NGX_OK)
    {
        return NGX_ERROR;
    }

    for (i = 0; i < nsgids; i++) {
        rc = ngx_campfire_model_attachable_verify(pool, signers, &sgids[i],
                                                  &n);
        if (rc == NGX_DECLINED) {
            continue;
        }

        if (rc != NGX_OK) {
            return rc;
        }

        id = ngx_array_push(&found);
        if (id == NULL) {
            return NGX_ERROR;
        }

        *id = n;
    }

    ngx_campfire_model_attachable_sort(&found);

    ids->elts = found.elts;
    ids->nelts = found.nelts;

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_attachable_user_id(ngx_pool_t *pool, const ngx_str_t *sgid,
    int64_t *id)
{
    size_t     i;
    ngx_int_t  rc;
    ngx_str_t  enc, payload;

    if (sgid->len == 0
        || sgid->len > NGX_CAMPFIRE_MODEL_ATTACHABLE_SGID)
    {
        return NGX_DECLINED;
    }

    enc = *sgid;

    for (i = 0; i + 1 < sgid->len; i++) {
        if (sgid->data[i] == '-' && sgid->data[i + 1] == '-') {
            enc.len = i;
            break;
        }
    }

    rc = ngx_campfire_base_base64_decode(pool, &enc, &payload);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_attachable_parse(pool, &payload, 0, id);
}


ngx_int_t
ngx_campfire_model_attachable_verify(ngx_pool_t *pool,
    ngx_campfire_signers_t *signers, const ngx_str_t *sgid, int64_t *id)
{
    ngx_int_t  rc;
    ngx_str_t  payload;

    if (sgid->len > NGX_CAMPFIRE_MODEL_ATTACHABLE_SGID) {
        return NGX_DECLINED;
    }

    rc = ngx_campfire_rails_verifier_verify(&signers->signed_global_id, pool,
                                            sgid, &payload);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_attachable_parse(pool, &payload, 1, id);
}


/* trusted: the purpose must be right, and there must be no time of expiry. */
static ngx_int_t
ngx_campfire_model_attachable_parse(ngx_pool_t *pool,
    const ngx_str_t *payload, ngx_uint_t trusted, int64_t *id)
{
    json_t     *json, *rails, *gid, *message, *purpose, *expiry;
    ngx_int_t   rc;
    ngx_str_t   enc, object;

    json = json_loadb((char *) payload->data, payload->len,
                      JSON_REJECT_DUPLICATES, NULL);
    if (json == NULL) {
        return NGX_DECLINED;
    }

    rails = json_object_get(json, "_rails");

    if (rails) {
        gid = json_object_get(rails, "data");
        message = json_object_get(rails, "message");
        purpose = json_object_get(rails, "pur");
        expiry = json_object_get(rails, "exp");

    } else {
        gid = json_object_get(json, "gid");
        message = NULL;
        purpose = json_object_get(json, "purpose");
        expiry = json_object_get(json, "expires_at");
    }

    rc = NGX_DECLINED;

    if (trusted
        && (!json_is_string(purpose)
            || ngx_strcmp(json_string_value(purpose), "attachable") != 0
            || (expiry && !json_is_null(expiry))))
    {
        goto done;
    }

    if (json_is_string(gid)) {
        rc = ngx_campfire_model_attachable_gid(
                                    (const u_char *) json_string_value(gid),
                                    json_string_length(gid), id);

    } else if (json_is_string(message)) {
        enc.data = (u_char *) json_string_value(message);
        enc.len = json_string_length(message);

        rc = ngx_campfire_base_base64_decode(pool, &enc, &object);
        if (rc == NGX_OK) {
            rc = ngx_campfire_model_attachable_gid(object.data, object.len,
                                                   id);
        }
    }

done:

    json_decref(json);

    return rc;
}


/* The first "gid://campfire/CLASS/DIGITS", if its class is User. */
static ngx_int_t
ngx_campfire_model_attachable_gid(const u_char *p, size_t len, int64_t *id)
{
    size_t               n;
    ngx_uint_t           user;
    const u_char        *class, *last;
    static const u_char  prefix[] = "gid://campfire/";

    last = p + len;

    for ( /* void */ ; (size_t) (last - p) >= sizeof(prefix) - 1; p++) {

        if (ngx_memcmp(p, prefix, sizeof(prefix) - 1) != 0) {
            continue;
        }

        class = p + sizeof(prefix) - 1;

        for (p = class; p < last && *p != '/'; p++) { /* void */ }

        if (p == last) {
            return NGX_DECLINED;
        }

        user = (p - class == 4 && ngx_memcmp(class, "User", 4) == 0);

        *id = 0;
        p++;

        for (n = 0; p < last && *p >= '0' && *p <= '9' && n < 18; p++, n++) {
            *id = *id * 10 + (*p - '0');
        }

        if (p < last && *p >= '0' && *p <= '9') {
            return NGX_DECLINED;
        }

        return (user && n) ? NGX_OK : NGX_DECLINED;
    }

    return NGX_DECLINED;
}


ngx_int_t
ngx_campfire_model_attachable_sgid(ngx_pool_t *pool,
    ngx_campfire_signers_t *signers, int64_t user_id, ngx_str_t *sgid)
{
    u_char     payload[128];
    ngx_str_t  text;

    text.data = payload;
    text.len = ngx_snprintf(payload, sizeof(payload),
                            "{\"_rails\":{\"data\":"
                            "\"gid://campfire/User/%L?expires_in\","
                            "\"pur\":\"attachable\"}}",
                            user_id)
               - payload;

    return ngx_campfire_rails_verifier_sign(&signers->signed_global_id, pool,
                                            &text, sgid);
}


ngx_int_t
ngx_campfire_model_attachable_avatar(ngx_pool_t *pool,
    ngx_campfire_signers_t *signers, const ngx_campfire_user_t *user,
    ngx_str_t *path)
{
    u_char     *p;
    ngx_str_t   token;

    if (ngx_campfire_rails_signed_id_sign(&signers->signed_id, pool, user->id,
                                          NGX_CAMPFIRE_RAILS_SIGNED_ID_AVATAR,
                                          0, &token)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    path->data = ngx_pnalloc(pool, sizeof("/users//avatar?v=") - 1 + token.len
                                   + NGX_CAMPFIRE_BASE_TIME_LEN);
    if (path->data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_sprintf(path->data, "/users/%V/avatar?v=", &token);
    p += ngx_campfire_base_time_number(p, user->updated_at);
    path->len = p - path->data;

    return NGX_OK;
}


static void
ngx_campfire_model_attachable_sort(ngx_array_t *ids)
{
    int64_t     *id;
    ngx_uint_t   i, n;

    if (ids->nelts == 0) {
        return;
    }

    id = ids->elts;

    ngx_qsort(id, ids->nelts, sizeof(int64_t),
              ngx_campfire_model_attachable_compare);

    for (i = 1, n = 1; i < ids->nelts; i++) {
        if (id[i] != id[n - 1]) {
            id[n++] = id[i];
        }
    }

    ids->nelts = n;
}


static int ngx_libc_cdecl
ngx_campfire_model_attachable_compare(const void *one, const void *two)
{
    int64_t  a, b;

    a = *(const int64_t *) one;
    b = *(const int64_t *) two;

    return (a > b) - (a < b);
}
