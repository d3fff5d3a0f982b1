
/*
 * What is made of a person's name.
 */

#include "models/ngx_campfire_model_user.h"
#include "base/ngx_campfire_base_grapheme.h"
#include "richtext/ngx_campfire_richtext.h"
#include "richtext/ngx_campfire_richtext_tree.h"


#define ngx_campfire_model_user_is_ascii_word(c)                              \
    (((c) >= 'a' && (c) <= 'z') || ((c) >= 'A' && (c) <= 'Z')                 \
     || ((c) >= '0' && (c) <= '9') || (c) == '_')


static u_char *ngx_campfire_model_user_initials_ascii(u_char *out,
    const ngx_str_t *name);
static u_char *ngx_campfire_model_user_initials_words(u_char *out,
    const ngx_str_t *name);


ngx_int_t
ngx_campfire_model_user_initials(ngx_pool_t *pool, const ngx_str_t *name,
    ngx_str_t *initials)
{
    u_char  *last;

    initials->len = 0;
    initials->data = ngx_pnalloc(pool, name->len + 1);
    if (initials->data == NULL) {
        return NGX_ERROR;
    }

    if (name->len == 0) {
        return NGX_OK;
    }

    last = ngx_campfire_model_user_initials_ascii(initials->data, name);

    if (last == initials->data) {
        last = ngx_campfire_model_user_initials_words(initials->data, name);
    }

    initials->len = last - initials->data;

    return NGX_OK;
}


/*
 * ASCII word characters that begin a word, though what a word is made of are
 * the word characters of Unicode: nothing is taken out of the middle of one.
 */
static u_char *
ngx_campfire_model_user_initials_ascii(u_char *out, const ngx_str_t *name)
{
    uint32_t       c;
    ngx_uint_t     inside, word;
    const u_char  *p, *last;

    p = name->data;
    last = p + name->len;
    inside = 0;

    while (p < last) {
        c = ngx_campfire_richtext_char_next(&p, last);
        word = ngx_campfire_richtext_char_is_word(c) ? 1 : 0;

        if (word && !inside && c < 0x80
            && ngx_campfire_model_user_is_ascii_word(c))
        {
            *out++ = (u_char) c;
        }

        inside = word;
    }

    return out;
}


/*
 * Names of other scripts: the first cluster of the first and of the last
 * word, else the first that can be seen.
 */
static u_char *
ngx_campfire_model_user_initials_words(u_char *out, const ngx_str_t *name)
{
    uint32_t       c;
    ngx_uint_t     inside, word;
    const u_char  *p, *at, *last, *seen, *first_word, *last_word;

    p = name->data;
    last = p + name->len;
    inside = 0;
    seen = NULL;
    first_word = NULL;
    last_word = NULL;

    while (p < last) {
        at = p;
        c = ngx_campfire_richtext_char_next(&p, last);
        word = ngx_campfire_richtext_char_is_word(c) ? 1 : 0;

        if (seen == NULL && !ngx_campfire_richtext_char_is_space(c)) {
            seen = at;
        }

        if (word && !inside) {
            last_word = at;

            if (first_word == NULL) {
                first_word = at;
            }
        }

        inside = word;
    }

    if (first_word == NULL) {
        first_word = seen;
    }

    if (first_word) {
        p = ngx_campfire_base_grapheme_next(first_word, last);
        out = ngx_cpymem(out, first_word, p - first_word);
    }

    if (last_word && last_word != first_word) {
        p = ngx_campfire_base_grapheme_next(last_word, last);
        out = ngx_cpymem(out, last_word, p - last_word);
    }

    return out;
}


ngx_int_t
ngx_campfire_model_user_title(ngx_pool_t *pool,
    const ngx_campfire_user_t *user, ngx_str_t *title)
{
    u_char      *p;
    ngx_uint_t   name, bio;

    name = !ngx_campfire_richtext_blank(&user->name);
    bio = user->bio.data && !ngx_campfire_richtext_blank(&user->bio);

    if (!name || !bio) {
        *title = name ? user->name : user->bio;

        if (!name && !bio) {
            ngx_str_set(title, "");
        }

        return NGX_OK;
    }

    title->len = user->name.len + sizeof(" – ") - 1 + user->bio.len;
    title->data = ngx_pnalloc(pool, title->len);
    if (title->data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_cpymem(title->data, user->name.data, user->name.len);
    p = ngx_cpymem(p, " – ", sizeof(" – ") - 1);
    ngx_memcpy(p, user->bio.data, user->bio.len);

    return NGX_OK;
}
