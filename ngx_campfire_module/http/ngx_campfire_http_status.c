
/*
 * The `campfire_status` page, in Prometheus's text exposition format 0.0.4.
 *
 * Everything is read from the zones without a lock: each number is right by
 * itself, but two of them may be from different moments.
 */

#include "http/ngx_campfire_http_status.h"
#include "ngx_campfire.h"
#include "shm/ngx_campfire_shm.h"


#define NGX_CAMPFIRE_HTTP_STATUS_SIZE  16384    /* of a page, a guess */


/* Rows of one name stand together and differ in their reason. */
typedef struct {
    ngx_campfire_counter_e    counter;
    ngx_str_t                 name;
    ngx_str_t                 help;
    ngx_str_t                 reason;
} ngx_campfire_http_status_counter_t;


typedef int64_t (*ngx_campfire_http_status_pt)(ngx_campfire_instance_t *in);


typedef struct {
    ngx_campfire_http_status_pt   value;
    ngx_str_t                     name;
    ngx_str_t                     help;
} ngx_campfire_http_status_gauge_t;


static void ngx_campfire_http_status_counters(ngx_campfire_buf_t *out,
    ngx_campfire_instances_t *instances);
static void ngx_campfire_http_status_gauges(ngx_campfire_buf_t *out,
    ngx_campfire_instances_t *instances);
static void ngx_campfire_http_status_head(ngx_campfire_buf_t *out,
    const ngx_str_t *name, const ngx_str_t *help, const char *type);
static void ngx_campfire_http_status_line(ngx_campfire_buf_t *out,
    const ngx_str_t *name, const ngx_str_t *storage, const ngx_str_t *reason,
    int64_t value);
static void ngx_campfire_http_status_label(ngx_campfire_buf_t *out,
    const ngx_str_t *value);
static ngx_int_t ngx_campfire_http_status_send(ngx_http_request_t *r,
    ngx_str_t *body);

static int64_t ngx_campfire_http_status_database(ngx_campfire_instance_t *in);
static int64_t ngx_campfire_http_status_workers(ngx_campfire_instance_t *in);
static int64_t ngx_campfire_http_status_sockets(ngx_campfire_instance_t *in);
static int64_t ngx_campfire_http_status_subscriptions(
    ngx_campfire_instance_t *in);
static int64_t ngx_campfire_http_status_generation(
    ngx_campfire_instance_t *in);
static int64_t ngx_campfire_http_status_waiters(ngx_campfire_instance_t *in);
static int64_t ngx_campfire_http_status_wal(ngx_campfire_instance_t *in);
static int64_t ngx_campfire_http_status_ring_head(
    ngx_campfire_instance_t *in);
static int64_t ngx_campfire_http_status_ring_used(
    ngx_campfire_instance_t *in);
static int64_t ngx_campfire_http_status_ring_lag(ngx_campfire_instance_t *in);
static int64_t ngx_campfire_http_status_rates(ngx_campfire_instance_t *in);
static int64_t ngx_campfire_http_status_zone_size(
    ngx_campfire_instance_t *in);
static int64_t ngx_campfire_http_status_zone_free(
    ngx_campfire_instance_t *in);


static const ngx_campfire_http_status_counter_t
    ngx_campfire_http_status_counter_rows[] =
{
    { NGX_CAMPFIRE_COUNTER_REQUESTS,
      ngx_string("campfire_requests_total"),
      ngx_string("Requests handled."),
      ngx_null_string },

    { NGX_CAMPFIRE_COUNTER_CACHE_HITS,
      ngx_string("campfire_cache_hits_total"),
      ngx_string("Pages and fragments served from the cache."),
      ngx_null_string },

    { NGX_CAMPFIRE_COUNTER_CACHE_MISSES,
      ngx_string("campfire_cache_misses_total"),
      ngx_string("Pages and fragments that had to be rendered."),
      ngx_null_string },

    { NGX_CAMPFIRE_COUNTER_FOREIGN_COMMITS,
      ngx_string("campfire_foreign_commits_total"),
      ngx_string("Commits by another program that were noticed."),
      ngx_null_string },

    { NGX_CAMPFIRE_COUNTER_BATCHES,
      ngx_string("campfire_write_batches_total"),
      ngx_string("Write transactions."),
      ngx_null_string },

    { NGX_CAMPFIRE_COUNTER_JOBS,
      ngx_string("campfire_writes_total"),
      ngx_string("Writes committed."),
      ngx_null_string },

    { NGX_CAMPFIRE_COUNTER_JOBS_FAILED,
      ngx_string("campfire_writes_failed_total"),
      ngx_string("Writes lost to an error of the database."),
      ngx_null_string },

    { NGX_CAMPFIRE_COUNTER_JOBS_BUSY,
      ngx_string("campfire_writes_refused_total"),
      ngx_string("Writes refused because the queue was full."),
      ngx_null_string },

    { NGX_CAMPFIRE_COUNTER_CHECKPOINTS,
      ngx_string("campfire_checkpoints_total"),
      ngx_string("Checkpoints of the write-ahead log."),
      ngx_null_string },

    { NGX_CAMPFIRE_COUNTER_SOCKETS_OPENED,
      ngx_string("campfire_sockets_opened_total"),
      ngx_string("WebSocket connections opened."),
      ngx_null_string },

    { NGX_CAMPFIRE_COUNTER_CLOSED_CLIENT,
      ngx_string("campfire_sockets_closed_total"),
      ngx_string("WebSocket connections closed, by reason."),
      ngx_string("client") },

    { NGX_CAMPFIRE_COUNTER_CLOSED_PROTOCOL,
      ngx_string("campfire_sockets_closed_total"),
      ngx_null_string,
      ngx_string("protocol") },

    { NGX_CAMPFIRE_COUNTER_CLOSED_SLOW,
      ngx_string("campfire_sockets_closed_total"),
      ngx_null_string,
      ngx_string("slow") },

    { NGX_CAMPFIRE_COUNTER_CLOSED_RESTART,
      ngx_string("campfire_sockets_closed_total"),
      ngx_null_string,
      ngx_string("restart") },

    { NGX_CAMPFIRE_COUNTER_CLOSED_REVOKED,
      ngx_string("campfire_sockets_closed_total"),
      ngx_null_string,
      ngx_string("revoked") },

    { NGX_CAMPFIRE_COUNTER_CLOSED_UNAUTHORIZED,
      ngx_string("campfire_sockets_closed_total"),
      ngx_null_string,
      ngx_string("unauthorized") },

    { NGX_CAMPFIRE_COUNTER_PUBLISHED,
      ngx_string("campfire_broadcasts_published_total"),
      ngx_string("Publications put into the ring."),
      ngx_null_string },

    { NGX_CAMPFIRE_COUNTER_DELIVERED,
      ngx_string("campfire_broadcasts_delivered_total"),
      ngx_string("Frames of publications handed to sockets."),
      ngx_null_string },

    { NGX_CAMPFIRE_COUNTER_RING_OVERRUNS,
      ngx_string("campfire_ring_overruns_total"),
      ngx_string("Times the ring overtook a worker."),
      ngx_null_string },

    { NGX_CAMPFIRE_COUNTER_WORKERS_RECLAIMED,
      ngx_string("campfire_workers_reclaimed_total"),
      ngx_string("Slots taken back from workers that died."),
      ngx_null_string }
};


static const ngx_campfire_http_status_gauge_t
    ngx_campfire_http_status_gauge_rows[] =
{
    { ngx_campfire_http_status_database,
      ngx_string("campfire_database_up"),
      ngx_string("Whether the answering worker has the database open.") },

    { ngx_campfire_http_status_workers,
      ngx_string("campfire_workers"),
      ngx_string("Worker processes that hold a slot.") },

    { ngx_campfire_http_status_sockets,
      ngx_string("campfire_sockets"),
      ngx_string("WebSocket connections open now.") },

    { ngx_campfire_http_status_subscriptions,
      ngx_string("campfire_subscriptions"),
      ngx_string("Channel subscriptions of these connections.") },

    { ngx_campfire_http_status_generation,
      ngx_string("campfire_generation"),
      ngx_string("The generation all cached pages depend on.") },

    { ngx_campfire_http_status_waiters,
      ngx_string("campfire_writers_waiting"),
      ngx_string("Workers waiting for their turn to write.") },

    { ngx_campfire_http_status_wal,
      ngx_string("campfire_wal_frames"),
      ngx_string("Frames in the write-ahead log after our last commit.") },

    { ngx_campfire_http_status_ring_head,
      ngx_string("campfire_ring_head_bytes"),
      ngx_string("Bytes ever written to the ring of publications.") },

    { ngx_campfire_http_status_ring_used,
      ngx_string("campfire_ring_used_bytes"),
      ngx_string("Bytes of publications the ring still holds.") },

    { ngx_campfire_http_status_ring_lag,
      ngx_string("campfire_ring_lag_bytes"),
      ngx_string("Bytes the slowest worker has not read yet.") },

    { ngx_campfire_http_status_rates,
      ngx_string("campfire_rate_entries"),
      ngx_string("Addresses remembered for limiting sign-in attempts.") },

    { ngx_campfire_http_status_zone_size,
      ngx_string("campfire_zone_size_bytes"),
      ngx_string("Size of the shared memory zone.") },

    { ngx_campfire_http_status_zone_free,
      ngx_string("campfire_zone_free_bytes"),
      ngx_string("Whole pages of the shared memory zone that are free.") }
};


ngx_int_t
ngx_campfire_http_status_handler(ngx_http_request_t *r)
{
    ngx_int_t                  rc;
    ngx_str_t                  body;
    ngx_campfire_buf_t         out;
    ngx_campfire_instances_t  *instances;

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        return NGX_HTTP_NOT_ALLOWED;
    }

    rc = ngx_http_discard_request_body(r);
    if (rc != NGX_OK) {
        return rc;
    }

    ngx_campfire_base_buf_init(&out, r->pool, NGX_CAMPFIRE_HTTP_STATUS_SIZE);

    instances = ngx_campfire_instances((ngx_cycle_t *) ngx_cycle);

    if (instances) {
        ngx_campfire_http_status_counters(&out, instances);
        ngx_campfire_http_status_gauges(&out, instances);
    }

    if (ngx_campfire_base_buf_done(&out, &body) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return ngx_campfire_http_status_send(r, &body);
}


static void
ngx_campfire_http_status_counters(ngx_campfire_buf_t *out,
    ngx_campfire_instances_t *instances)
{
    ngx_uint_t                                 i, k;
    ngx_campfire_instance_t                   *in;
    const ngx_campfire_http_status_counter_t  *row;

    for (i = 0;
         i < sizeof(ngx_campfire_http_status_counter_rows)
             / sizeof(ngx_campfire_http_status_counter_rows[0]);
         i++)
    {
        row = &ngx_campfire_http_status_counter_rows[i];

        if (row->help.len) {
            ngx_campfire_http_status_head(out, &row->name, &row->help,
                                          "counter");
        }

        for (k = 0; k < instances->nelts; k++) {
            in = instances->elts[k];

            if (in->sh) {
                ngx_campfire_http_status_line(out, &row->name, &in->storage,
                              &row->reason,
                              (int64_t) in->sh->counters[row->counter]);
            }
        }
    }
}


static void
ngx_campfire_http_status_gauges(ngx_campfire_buf_t *out,
    ngx_campfire_instances_t *instances)
{
    ngx_str_t                                none = ngx_null_string;
    ngx_uint_t                               i, k;
    ngx_campfire_instance_t                 *in;
    const ngx_campfire_http_status_gauge_t  *row;

    for (i = 0;
         i < sizeof(ngx_campfire_http_status_gauge_rows)
             / sizeof(ngx_campfire_http_status_gauge_rows[0]);
         i++)
    {
        row = &ngx_campfire_http_status_gauge_rows[i];

        ngx_campfire_http_status_head(out, &row->name, &row->help, "gauge");

        for (k = 0; k < instances->nelts; k++) {
            in = instances->elts[k];

            if (in->sh) {
                ngx_campfire_http_status_line(out, &row->name, &in->storage,
                                              &none, row->value(in));
            }
        }
    }
}


static void
ngx_campfire_http_status_head(ngx_campfire_buf_t *out, const ngx_str_t *name,
    const ngx_str_t *help, const char *type)
{
    ngx_campfire_base_buf_lit(out, "# HELP ");
    ngx_campfire_base_buf_str(out, *name);
    ngx_campfire_base_buf_lit(out, " ");
    ngx_campfire_base_buf_str(out, *help);
    ngx_campfire_base_buf_lit(out, "\n# TYPE ");
    ngx_campfire_base_buf_str(out, *name);
    ngx_campfire_base_buf_lit(out, " ");
    ngx_campfire_base_buf_append(out, type, ngx_strlen(type));
    ngx_campfire_base_buf_lit(out, "\n");
}


static void
ngx_campfire_http_status_line(ngx_campfire_buf_t *out, const ngx_str_t *name,
    const ngx_str_t *storage, const ngx_str_t *reason, int64_t value)
{
    ngx_campfire_base_buf_str(out, *name);
    ngx_campfire_base_buf_lit(out, "{storage=\"");
    ngx_campfire_http_status_label(out, storage);

    if (reason->len) {
        ngx_campfire_base_buf_lit(out, "\",reason=\"");
        ngx_campfire_http_status_label(out, reason);
    }

    ngx_campfire_base_buf_lit(out, "\"} ");
    ngx_campfire_base_buf_int(out, value);
    ngx_campfire_base_buf_lit(out, "\n");
}


static void
ngx_campfire_http_status_label(ngx_campfire_buf_t *out,
    const ngx_str_t *value)
{
    size_t  i;

    for (i = 0; i < value->len; i++) {

        switch (value->data[i]) {

        case '\\':
            ngx_campfire_base_buf_lit(out, "\\\\");
            break;

        case '"':
            ngx_campfire_base_buf_lit(out, "\\\"");
            break;

        case '\n':
            ngx_campfire_base_buf_lit(out, "\\n");
            break;

        default:
            ngx_campfire_base_buf_append(out, value->data + i, 1);
        }
    }
}


static ngx_int_t
ngx_campfire_http_status_send(ngx_http_request_t *r, ngx_str_t *body)
{
    ngx_int_t    rc;
    ngx_buf_t   *b;
    ngx_chain_t  out;

    ngx_str_set(&r->headers_out.content_type,
                "text/plain; version=0.0.4; charset=utf-8");
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_type_lowcase = NULL;
    r->headers_out.status = NGX_HTTP_OK;
    r->headers_out.content_length_n = body->len;

    rc = ngx_http_send_header(r);
    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
        return rc;
    }

    b = ngx_calloc_buf(r->pool);
    if (b == NULL) {
        return NGX_ERROR;
    }

    b->pos = body->data;
    b->last = body->data + body->len;
    b->memory = body->len ? 1 : 0;
    b->last_buf = (r == r->main) ? 1 : 0;
    b->last_in_chain = 1;

    out.buf = b;
    out.next = NULL;

    return ngx_http_output_filter(r, &out);
}


static int64_t
ngx_campfire_http_status_database(ngx_campfire_instance_t *in)
{
    return in->db ? 1 : 0;
}


static int64_t
ngx_campfire_http_status_workers(ngx_campfire_instance_t *in)
{
    int64_t     n;
    ngx_uint_t  i;

    n = 0;

    for (i = 0; i < NGX_CAMPFIRE_SHM_SLOTS; i++) {
        if (in->sh->slots[i].pid) {
            n++;
        }
    }

    return n;
}


static int64_t
ngx_campfire_http_status_sockets(ngx_campfire_instance_t *in)
{
    int64_t     n;
    ngx_uint_t  i;

    n = 0;

    for (i = 0; i < NGX_CAMPFIRE_SHM_SLOTS; i++) {
        if (in->sh->slots[i].pid) {
            n += (int64_t) in->sh->slots[i].sockets;
        }
    }

    return n;
}


static int64_t
ngx_campfire_http_status_subscriptions(ngx_campfire_instance_t *in)
{
    int64_t     n;
    ngx_uint_t  i;

    n = 0;

    for (i = 0; i < NGX_CAMPFIRE_SHM_SLOTS; i++) {
        if (in->sh->slots[i].pid) {
            n += (int64_t) in->sh->slots[i].subscriptions;
        }
    }

    return n;
}


static int64_t
ngx_campfire_http_status_generation(ngx_campfire_instance_t *in)
{
    return (int64_t) in->sh->global;
}


static int64_t
ngx_campfire_http_status_waiters(ngx_campfire_instance_t *in)
{
    return (int64_t) in->sh->writer_waiters;
}


/* mxFrame of the WAL-index header, in the byte order of this machine. */
static int64_t
ngx_campfire_http_status_wal(ngx_campfire_instance_t *in)
{
    u_char    header[48];
    uint32_t  frames;

    ngx_campfire_shm_seen_get(in->sh, header);
    ngx_memcpy(&frames, header + 16, 4);

    return frames;
}


static int64_t
ngx_campfire_http_status_ring_head(ngx_campfire_instance_t *in)
{
    return (int64_t) in->sh->ring_head;
}


/* The tail first: it never passes a head that is read later. */
static int64_t
ngx_campfire_http_status_ring_used(ngx_campfire_instance_t *in)
{
    uint64_t  tail;

    tail = in->sh->ring_tail;
    ngx_memory_barrier();

    return (int64_t) (in->sh->ring_head - tail);
}


static int64_t
ngx_campfire_http_status_ring_lag(ngx_campfire_instance_t *in)
{
    uint64_t    head, cursor, lag;
    ngx_uint_t  i;

    lag = 0;

    for (i = 0; i < NGX_CAMPFIRE_SHM_SLOTS; i++) {
        if (in->sh->slots[i].pid == 0) {
            continue;
        }

        cursor = in->sh->slots[i].cursor;
        ngx_memory_barrier();
        head = in->sh->ring_head;

        if (head > cursor && head - cursor > lag) {
            lag = head - cursor;
        }
    }

    return (int64_t) lag;
}


static int64_t
ngx_campfire_http_status_rates(ngx_campfire_instance_t *in)
{
    int64_t     n;
    ngx_uint_t  i;

    n = 0;

    for (i = 0; i < NGX_CAMPFIRE_SHM_RATES; i++) {
        if (in->sh->rates[i].key) {
            n++;
        }
    }

    return n;
}


static int64_t
ngx_campfire_http_status_zone_size(ngx_campfire_instance_t *in)
{
    return (int64_t) in->zone->shm.size;
}


static int64_t
ngx_campfire_http_status_zone_free(ngx_campfire_instance_t *in)
{
    ngx_slab_pool_t  *shpool;

    shpool = (ngx_slab_pool_t *) in->zone->shm.addr;

    return (int64_t) shpool->pfree * (int64_t) ngx_pagesize;
}
