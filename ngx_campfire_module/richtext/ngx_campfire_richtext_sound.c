
/*
 * The sounds of /play NAME, and what is shown beside the loudspeaker.
 */

#include "richtext/ngx_campfire_richtext.h"
#include "richtext/ngx_campfire_richtext_tree.h"


#define NGX_CAMPFIRE_RICHTEXT_SOUND_PLAY  "/play "


static const ngx_campfire_richtext_sound_t
    ngx_campfire_richtext_sounds[] =
{
    { ngx_string("56k"), ngx_null_string,
      ngx_string("56k"), 79, 33 },
    { ngx_string("ballmer"), ngx_string("developers!"),
      ngx_null_string, 0, 0 },
    { ngx_string("bell"), ngx_string("🔔"),
      ngx_null_string, 0, 0 },
    { ngx_string("bezos"), ngx_string("😆💭"),
      ngx_null_string, 0, 0 },
    { ngx_string("bueller"), ngx_string("anyone?"),
      ngx_null_string, 0, 0 },
    { ngx_string("butts"), ngx_string("👐 🚬"),
      ngx_null_string, 0, 0 },
    { ngx_string("clowntown"), ngx_null_string,
      ngx_string("clowntown"), 210, 150 },
    { ngx_string("cottoneyejoe"), ngx_string("🎶🙉🎶 "),
      ngx_null_string, 0, 0 },
    { ngx_string("crickets"), ngx_string("hears crickets chirping"),
      ngx_null_string, 0, 0 },
    { ngx_string("curb"), ngx_null_string,
      ngx_string("curb"), 150, 101 },
    { ngx_string("dadgummit"), ngx_string("dad gummit!! 🎣"),
      ngx_null_string, 0, 0 },
    { ngx_string("dangerzone"), ngx_null_string,
      ngx_string("dangerzone"), 157, 32 },
    { ngx_string("danielsan"), ngx_string("🎆 🏆 🎆"),
      ngx_null_string, 0, 0 },
    { ngx_string("deeper"), ngx_null_string,
      ngx_string("top"), 188, 80 },
    { ngx_string("donotwant"), ngx_null_string,
      ngx_string("donotwant"), 150, 150 },
    { ngx_string("drama"), ngx_null_string,
      ngx_string("drama"), 300, 16 },
    { ngx_string("flawless"), ngx_string("#flawless"),
      ngx_null_string, 0, 0 },
    { ngx_string("glados"), ngx_string("🤖💢"),
      ngx_null_string, 0, 0 },
    { ngx_string("gogogo"), ngx_string("Go, go, go!"),
      ngx_null_string, 0, 0 },
    { ngx_string("greatjob"), ngx_null_string,
      ngx_string("greatjob"), 79, 16 },
    { ngx_string("greyjoy"), ngx_string("😖🎺"),
      ngx_null_string, 0, 0 },
    { ngx_string("guarantee"), ngx_string("guarantees it 👌"),
      ngx_null_string, 0, 0 },
    { ngx_string("heygirl"), ngx_string("✨💁✨"),
      ngx_null_string, 0, 0 },
    { ngx_string("honk"), ngx_string("HONK"),
      ngx_null_string, 0, 0 },
    { ngx_string("horn"), ngx_string("🐶 ✂️ 🐱"),
      ngx_null_string, 0, 0 },
    { ngx_string("horror"), ngx_string("💀 💀 💀 💀 💀 💀 💀"),
      ngx_null_string, 0, 0 },
    { ngx_string("inconceivable"), ngx_string("doesn't think it means what you think it means…"),
      ngx_null_string, 0, 0 },
    { ngx_string("letitgo"), ngx_string("❄️👩❄️⛄️❄️"),
      ngx_null_string, 0, 0 },
    { ngx_string("live"), ngx_string("is DOING IT LIVE"),
      ngx_null_string, 0, 0 },
    { ngx_string("loggins"), ngx_null_string,
      ngx_string("loggins"), 200, 151 },
    { ngx_string("makeitso"), ngx_string("make it so 👉"),
      ngx_null_string, 0, 0 },
    { ngx_string("noooo"), ngx_string("👸💀😒"),
      ngx_null_string, 0, 0 },
    { ngx_string("nyan"), ngx_null_string,
      ngx_string("nyan"), 36, 15 },
    { ngx_string("ohmy"), ngx_string("raises an eyebrow 😏"),
      ngx_null_string, 0, 0 },
    { ngx_string("ohyeah"), ngx_string("isn't playing by the rules"),
      ngx_null_string, 0, 0 },
    { ngx_string("pushit"), ngx_null_string,
      ngx_string("pushit"), 104, 15 },
    { ngx_string("rimshot"), ngx_string("plays a rimshot"),
      ngx_null_string, 0, 0 },
    { ngx_string("rollout"), ngx_string("is rolling out 🚗"),
      ngx_null_string, 0, 0 },
    { ngx_string("rumble"), ngx_null_string,
      ngx_string("rumble"), 220, 150 },
    { ngx_string("sax"), ngx_string("🌇🎷🎶"),
      ngx_null_string, 0, 0 },
    { ngx_string("secret"), ngx_string("found a secret area 🔑"),
      ngx_null_string, 0, 0 },
    { ngx_string("sexyback"), ngx_string("🔞"),
      ngx_null_string, 0, 0 },
    { ngx_string("story"), ngx_string("and now you know…"),
      ngx_null_string, 0, 0 },
    { ngx_string("tada"), ngx_string("plays a fanfare 🎏"),
      ngx_null_string, 0, 0 },
    { ngx_string("tmyk"), ngx_string("✨ ⭐️ The More You Know ✨ ⭐️"),
      ngx_null_string, 0, 0 },
    { ngx_string("totes"), ngx_string("😁👍"),
      ngx_null_string, 0, 0 },
    { ngx_string("trololo"), ngx_string("трололо"),
      ngx_null_string, 0, 0 },
    { ngx_string("trombone"), ngx_string("plays a sad trombone"),
      ngx_null_string, 0, 0 },
    { ngx_string("unix"), ngx_string("knows this 💻"),
      ngx_null_string, 0, 0 },
    { ngx_string("vuvuzela"), ngx_string("======<() ~ ♪ ~♫"),
      ngx_null_string, 0, 0 },
    { ngx_string("what"), ngx_null_string,
      ngx_string("what"), 100, 131 },
    { ngx_string("whoomp"), ngx_string("👏‼️😎"),
      ngx_null_string, 0, 0 },
    { ngx_string("wups"), ngx_string("wups!"),
      ngx_null_string, 0, 0 },
    { ngx_string("yay"), ngx_null_string,
      ngx_string("yay"), 103, 50 },
    { ngx_string("yeah"), ngx_null_string,
      ngx_string("yeah"), 104, 15 },
    { ngx_string("yodel"), ngx_string("📣🗻🙉"),
      ngx_null_string, 0, 0 },
};


const ngx_campfire_richtext_sound_t *
ngx_campfire_richtext_sound(const ngx_str_t *plain)
{
    size_t                                len, i;
    const u_char                         *name;
    const ngx_campfire_richtext_sound_t  *sound;

    len = sizeof(NGX_CAMPFIRE_RICHTEXT_SOUND_PLAY) - 1;

    if (plain->len <= len
        || ngx_memcmp(plain->data, NGX_CAMPFIRE_RICHTEXT_SOUND_PLAY, len) != 0)
    {
        return NULL;
    }

    name = plain->data + len;
    len = plain->len - len;

    for (i = 0; i < sizeof(ngx_campfire_richtext_sounds)
                    / sizeof(ngx_campfire_richtext_sounds[0]); i++)
    {
        sound = &ngx_campfire_richtext_sounds[i];

        if (sound->name.len == len
            && ngx_memcmp(sound->name.data, name, len) == 0)
        {
            return sound;
        }
    }

    return NULL;
}
