
/*
 * Secrets, from a file of NAME=value lines or from the environment.
 *
 * The file is read by the master, as root, at each load of the configuration;
 * workers only inherit the derived keys.
 */

#include "ngx_campfire_secrets.h"


#define NGX_CAMPFIRE_SECRETS_MAX  65536      /* bytes of a secrets file */


static ngx_int_t ngx_campfire_secrets_read(ngx_conf_t *cf, ngx_str_t *path,
    ngx_str_t *text);
static ngx_int_t ngx_campfire_secrets_file(ngx_conf_t *cf,
    ngx_campfire_instance_t *in, ngx_str_t *path);
static ngx_int_t ngx_campfire_secrets_env(ngx_conf_t *cf, const char *name,
    ngx_str_t *value);
static ngx_str_t *ngx_campfire_secrets_slot(ngx_campfire_instance_t *in,
    ngx_str_t *name);


ngx_int_t
ngx_campfire_secrets_load(ngx_conf_t *cf, ngx_campfire_instance_t *in,
    ngx_str_t *path)
{
    ngx_int_t  rc;

    if (path->len) {
        if (ngx_campfire_secrets_file(cf, in, path) != NGX_OK) {
            return NGX_ERROR;
        }

    } else if (ngx_campfire_secrets_env(cf, "SECRET_KEY_BASE",
                                        &in->secret_key_base)
               != NGX_OK
               || ngx_campfire_secrets_env(cf, "VAPID_PUBLIC_KEY",
                                           &in->vapid_public_key)
                  != NGX_OK
               || ngx_campfire_secrets_env(cf, "VAPID_PRIVATE_KEY",
                                           &in->vapid_private_key)
                  != NGX_OK)
    {
        return NGX_ERROR;
    }

    rc = ngx_campfire_rails_keys_init(&in->keys, &in->secret_key_base);

    if (rc == NGX_DECLINED) {
        if (path->len) {
            ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                          "campfire: \"%V\" has no line SECRET_KEY_BASE=..., "
                          "needed by the location in %s:%ui", path,
                          in->file, in->line);
        } else {
            ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                          "campfire: no secret for the location in %s:%ui, "
                          "name a file with campfire_secrets_file or set "
                          "SECRET_KEY_BASE in the environment of nginx",
                          in->file, in->line);
        }
    }

    return (rc == NGX_OK) ? NGX_OK : NGX_ERROR;
}


static ngx_int_t
ngx_campfire_secrets_env(ngx_conf_t *cf, const char *name, ngx_str_t *value)
{
    char  *env;

    env = getenv(name);

    if (env == NULL) {
        ngx_str_null(value);
        return NGX_OK;
    }

    value->len = ngx_strlen(env);
    value->data = ngx_pnalloc(cf->pool, value->len + 1);
    if (value->data == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(value->data, env, value->len + 1);

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_secrets_read(ngx_conf_t *cf, ngx_str_t *path, ngx_str_t *text)
{
    ssize_t          n;
    ngx_fd_t         fd;
    ngx_file_info_t  fi;

    fd = ngx_open_file(path->data, NGX_FILE_RDONLY, NGX_FILE_OPEN, 0);

    if (fd == NGX_INVALID_FILE) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, ngx_errno,
                      "campfire_secrets_file: \"%V\" cannot be read", path);
        return NGX_ERROR;
    }

    n = -1;

    if (ngx_fd_info(fd, &fi) == NGX_FILE_ERROR || !ngx_is_file(&fi)
        || ngx_file_size(&fi) > NGX_CAMPFIRE_SECRETS_MAX)
    {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                      "campfire_secrets_file: \"%V\" is not a file of at most "
                      "%d bytes", path, NGX_CAMPFIRE_SECRETS_MAX);
        goto done;
    }

    if (fi.st_mode & S_IROTH) {
        ngx_log_error(NGX_LOG_WARN, cf->log, 0,
                      "campfire_secrets_file: \"%V\" can be read by everybody "
                      "on this machine, chmod 600 it", path);
    }

    text->data = ngx_pnalloc(cf->pool, ngx_file_size(&fi) + 1);
    if (text->data == NULL) {
        goto done;
    }

    n = ngx_read_fd(fd, text->data, ngx_file_size(&fi));

    if (n == -1) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, ngx_errno,
                      "campfire_secrets_file: \"%V\" cannot be read", path);
    } else {
        text->len = n;
    }

done:

    (void) ngx_close_file(fd);

    return (n == -1) ? NGX_ERROR : NGX_OK;
}


static ngx_int_t
ngx_campfire_secrets_file(ngx_conf_t *cf, ngx_campfire_instance_t *in,
    ngx_str_t *path)
{
    u_char      *p, *end, *line;
    ngx_str_t    text, name, value, *slot;
    ngx_uint_t   n;

    if (ngx_campfire_secrets_read(cf, path, &text) != NGX_OK) {
        return NGX_ERROR;
    }

    p = text.data;
    end = p + text.len;

    for (n = 1; p < end; n++) {

        line = p;
        while (p < end && *p != '\n') {
            p++;
        }

        value.data = p;
        p++;

        while (line < value.data && (*line == ' ' || *line == '\t')) {
            line++;
        }

        while (value.data > line
               && (value.data[-1] == '\r' || value.data[-1] == ' '))
        {
            value.data--;
        }

        if (line == value.data || *line == '#') {
            continue;
        }

        value.len = value.data - line;
        name.data = line;
        value.data = ngx_strlchr(line, line + value.len, '=');

        if (value.data == NULL) {
            ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                          "campfire_secrets_file: line %ui of \"%V\" is not "
                          "NAME=value", n, path);
            return NGX_ERROR;
        }

        name.len = value.data - line;
        value.len -= name.len + 1;
        value.data++;

        if (value.len > 1 && value.data[0] == value.data[value.len - 1]
            && (value.data[0] == '"' || value.data[0] == '\''))
        {
            value.data++;
            value.len -= 2;
        }

        slot = ngx_campfire_secrets_slot(in, &name);
        if (slot) {
            *slot = value;
        }
    }

    return NGX_OK;
}


/* Other names are left alone: the file may serve Rails, too. */
static ngx_str_t *
ngx_campfire_secrets_slot(ngx_campfire_instance_t *in, ngx_str_t *name)
{
    ngx_uint_t  i;

    struct {
        ngx_str_t   name;
        ngx_str_t  *slot;
    } slots[] = {
        { ngx_string("SECRET_KEY_BASE"), &in->secret_key_base },
        { ngx_string("VAPID_PUBLIC_KEY"), &in->vapid_public_key },
        { ngx_string("VAPID_PRIVATE_KEY"), &in->vapid_private_key }
    };

    for (i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
        if (name->len == slots[i].name.len
            && ngx_strncmp(name->data, slots[i].name.data, name->len) == 0)
        {
            return slots[i].slot;
        }
    }

    return NULL;
}
