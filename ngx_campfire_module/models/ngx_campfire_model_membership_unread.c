
/*
 * Unread marks, once per room and batch.
 *
 * A message marks the memberships of its room as unread since its time, but
 * for those of its author, of people who are looking, and of people who hid
 * the room.  Of a batch of messages only the last mark of each membership can
 * be seen from outside, so with
 *
 *     m1  the room's last message in the batch, by a
 *     m2  the last one that is not by a
 *
 * everybody but a is marked with the time of m1, and a with that of m2, if
 * there is one: two UPDATEs instead of one for every message.
 *
 * Presence is the one at the end of the batch.  What happens inside a batch
 * is simultaneous: whoever stops looking in the same few milliseconds finds
 * the message unread, and whoever starts looking has read it.
 *
 * A message that the batch deletes again still marks, as it would have done
 * on its own.
 */

#include "models/ngx_campfire_model_membership.h"
#include "models/ngx_campfire_model_row.h"


typedef struct {
    int64_t      room;
    int64_t      last_author;
    int64_t      last_time;
    int64_t      other_author;     /* 0: only one wrote */
    int64_t      other_time;
} ngx_campfire_model_membership_mark_t;


static ngx_int_t ngx_campfire_model_membership_collect(ngx_array_t *marks,
    ngx_campfire_effect_t *effect);
static ngx_int_t ngx_campfire_model_membership_mark(ngx_campfire_tx_t *tx,
    ngx_campfire_model_membership_mark_t *mark);


ngx_int_t
ngx_campfire_model_membership_before_commit(ngx_campfire_tx_t *tx,
    ngx_queue_t *jobs)
{
    ngx_int_t                              rc;
    ngx_uint_t                             i;
    ngx_array_t                            marks;
    ngx_queue_t                           *j, *e;
    ngx_campfire_job_t                    *job;
    ngx_campfire_effect_t                 *effect;
    ngx_campfire_model_membership_mark_t  *mark;

    if (ngx_array_init(&marks, tx->pool, 4,
                       sizeof(ngx_campfire_model_membership_mark_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    for (j = ngx_queue_head(jobs);
         j != ngx_queue_sentinel(jobs);
         j = ngx_queue_next(j))
    {
        job = ngx_queue_data(j, ngx_campfire_job_t, queue);

        for (e = ngx_queue_head(&job->effects);
             e != ngx_queue_sentinel(&job->effects);
             e = ngx_queue_next(e))
        {
            effect = ngx_queue_data(e, ngx_campfire_effect_t, queue);

            if (effect->kind == NGX_CAMPFIRE_EFFECT_MESSAGE_CREATED
                && ngx_campfire_model_membership_collect(&marks, effect)
                   != NGX_OK)
            {
                return NGX_ERROR;
            }
        }
    }

    mark = marks.elts;

    for (i = 0; i < marks.nelts; i++) {
        rc = ngx_campfire_model_membership_mark(tx, &mark[i]);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_model_membership_collect(ngx_array_t *marks,
    ngx_campfire_effect_t *effect)
{
    ngx_uint_t                             i;
    ngx_campfire_model_membership_mark_t  *mark;

    mark = marks->elts;

    for (i = 0; i < marks->nelts; i++) {
        if (mark[i].room == effect->room) {
            break;
        }
    }

    if (i == marks->nelts) {
        mark = ngx_array_push(marks);
        if (mark == NULL) {
            return NGX_ERROR;
        }

        ngx_memzero(mark, sizeof(ngx_campfire_model_membership_mark_t));
        mark->room = effect->room;

    } else {
        mark = &mark[i];

        if (mark->last_author != effect->user) {
            mark->other_author = mark->last_author;
            mark->other_time = mark->last_time;
        }
    }

    mark->last_author = effect->user;
    mark->last_time = effect->time;

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_model_membership_mark(ngx_campfire_tx_t *tx,
    ngx_campfire_model_membership_mark_t *mark)
{
    int64_t    since;
    ngx_int_t  rc;

    since = tx->now - NGX_CAMPFIRE_MODEL_MEMBERSHIP_TTL;

    rc = ngx_campfire_db_exec(tx->conn,
             "UPDATE memberships SET unread_at = ?1, updated_at = ?2"
             " WHERE room_id = ?3 AND user_id <> ?4"
             " AND " NGX_CAMPFIRE_MODEL_MEMBERSHIP_VISIBLE("memberships")
             " AND (connected_at IS NULL OR connected_at < ?5)",
             "ttiit", mark->last_time, tx->now, mark->room,
             mark->last_author, since);

    if (rc != NGX_OK || mark->other_author == 0) {
        return rc;
    }

    return ngx_campfire_db_exec(tx->conn,
               "UPDATE memberships SET unread_at = ?1, updated_at = ?2"
               " WHERE room_id = ?3 AND user_id = ?4"
               " AND " NGX_CAMPFIRE_MODEL_MEMBERSHIP_VISIBLE("memberships")
               " AND (connected_at IS NULL OR connected_at < ?5)",
               "ttiit", mark->other_time, tx->now, mark->room,
               mark->last_author, since);
}
