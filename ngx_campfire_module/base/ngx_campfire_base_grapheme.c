
/*
 * Extended grapheme clusters.
 *
 * Each character has one class.  Two properties of the standard that a
 * character may have besides its break class are folded into it: the letters
 * and viramas that form Indic conjuncts are CONSONANT and LINKER, pictographs
 * are PICTURE.  LV and LVT syllables are found by arithmetic.
 */

#include "base/ngx_campfire_base_grapheme.h"
#include "base/ngx_campfire_base_utf8.h"


typedef enum {
    GB_OTHER = 0,
    GB_CR,
    GB_LF,
    GB_CONTROL,
    GB_EXTEND,
    GB_NONJOINER,           /* extends, but not a conjunct */
    GB_LINKER,
    GB_ZWJ,
    GB_SPACING,
    GB_PREPEND,
    GB_REGIONAL,
    GB_L,
    GB_V,
    GB_T,
    GB_LV,
    GB_LVT,
    GB_CONSONANT,
    GB_PICTURE
} ngx_campfire_base_grapheme_e;

typedef struct {
    uint32_t                      first;
    uint32_t                      last;
    ngx_campfire_base_grapheme_e  class;
} ngx_campfire_base_grapheme_range_t;


/* Unicode 16, above ASCII and without what the function below knows. */
static const ngx_campfire_base_grapheme_range_t
    ngx_campfire_base_grapheme_ranges[] =
{
    { 0x80, 0x9f, GB_CONTROL }, { 0xa9, 0xa9, GB_PICTURE },
    { 0xad, 0xad, GB_CONTROL }, { 0xae, 0xae, GB_PICTURE },
    { 0x300, 0x36f, GB_EXTEND }, { 0x483, 0x489, GB_EXTEND },
    { 0x591, 0x5bd, GB_EXTEND }, { 0x5bf, 0x5bf, GB_EXTEND },
    { 0x5c1, 0x5c2, GB_EXTEND }, { 0x5c4, 0x5c5, GB_EXTEND },
    { 0x5c7, 0x5c7, GB_EXTEND }, { 0x600, 0x605, GB_PREPEND },
    { 0x610, 0x61a, GB_EXTEND }, { 0x61c, 0x61c, GB_CONTROL },
    { 0x64b, 0x65f, GB_EXTEND }, { 0x670, 0x670, GB_EXTEND },
    { 0x6d6, 0x6dc, GB_EXTEND }, { 0x6dd, 0x6dd, GB_PREPEND },
    { 0x6df, 0x6e4, GB_EXTEND }, { 0x6e7, 0x6e8, GB_EXTEND },
    { 0x6ea, 0x6ed, GB_EXTEND }, { 0x70f, 0x70f, GB_PREPEND },
    { 0x711, 0x711, GB_EXTEND }, { 0x730, 0x74a, GB_EXTEND },
    { 0x7a6, 0x7b0, GB_EXTEND }, { 0x7eb, 0x7f3, GB_EXTEND },
    { 0x7fd, 0x7fd, GB_EXTEND }, { 0x816, 0x819, GB_EXTEND },
    { 0x81b, 0x823, GB_EXTEND }, { 0x825, 0x827, GB_EXTEND },
    { 0x829, 0x82d, GB_EXTEND }, { 0x859, 0x85b, GB_EXTEND },
    { 0x890, 0x891, GB_PREPEND }, { 0x897, 0x89f, GB_EXTEND },
    { 0x8ca, 0x8e1, GB_EXTEND }, { 0x8e2, 0x8e2, GB_PREPEND },
    { 0x8e3, 0x902, GB_EXTEND }, { 0x903, 0x903, GB_SPACING },
    { 0x915, 0x939, GB_CONSONANT }, { 0x93a, 0x93a, GB_EXTEND },
    { 0x93b, 0x93b, GB_SPACING }, { 0x93c, 0x93c, GB_EXTEND },
    { 0x93e, 0x940, GB_SPACING }, { 0x941, 0x948, GB_EXTEND },
    { 0x949, 0x94c, GB_SPACING }, { 0x94d, 0x94d, GB_LINKER },
    { 0x94e, 0x94f, GB_SPACING }, { 0x951, 0x957, GB_EXTEND },
    { 0x958, 0x95f, GB_CONSONANT }, { 0x962, 0x963, GB_EXTEND },
    { 0x978, 0x97f, GB_CONSONANT }, { 0x981, 0x981, GB_EXTEND },
    { 0x982, 0x983, GB_SPACING }, { 0x995, 0x9a8, GB_CONSONANT },
    { 0x9aa, 0x9b0, GB_CONSONANT }, { 0x9b2, 0x9b2, GB_CONSONANT },
    { 0x9b6, 0x9b9, GB_CONSONANT }, { 0x9bc, 0x9bc, GB_EXTEND },
    { 0x9be, 0x9be, GB_EXTEND }, { 0x9bf, 0x9c0, GB_SPACING },
    { 0x9c1, 0x9c4, GB_EXTEND }, { 0x9c7, 0x9c8, GB_SPACING },
    { 0x9cb, 0x9cc, GB_SPACING }, { 0x9cd, 0x9cd, GB_LINKER },
    { 0x9d7, 0x9d7, GB_EXTEND }, { 0x9dc, 0x9dd, GB_CONSONANT },
    { 0x9df, 0x9df, GB_CONSONANT }, { 0x9e2, 0x9e3, GB_EXTEND },
    { 0x9f0, 0x9f1, GB_CONSONANT }, { 0x9fe, 0x9fe, GB_EXTEND },
    { 0xa01, 0xa02, GB_EXTEND }, { 0xa03, 0xa03, GB_SPACING },
    { 0xa3c, 0xa3c, GB_EXTEND }, { 0xa3e, 0xa40, GB_SPACING },
    { 0xa41, 0xa42, GB_EXTEND }, { 0xa47, 0xa48, GB_EXTEND },
    { 0xa4b, 0xa4d, GB_EXTEND }, { 0xa51, 0xa51, GB_EXTEND },
    { 0xa70, 0xa71, GB_EXTEND }, { 0xa75, 0xa75, GB_EXTEND },
    { 0xa81, 0xa82, GB_EXTEND }, { 0xa83, 0xa83, GB_SPACING },
    { 0xa95, 0xaa8, GB_CONSONANT }, { 0xaaa, 0xab0, GB_CONSONANT },
    { 0xab2, 0xab3, GB_CONSONANT }, { 0xab5, 0xab9, GB_CONSONANT },
    { 0xabc, 0xabc, GB_EXTEND }, { 0xabe, 0xac0, GB_SPACING },
    { 0xac1, 0xac5, GB_EXTEND }, { 0xac7, 0xac8, GB_EXTEND },
    { 0xac9, 0xac9, GB_SPACING }, { 0xacb, 0xacc, GB_SPACING },
    { 0xacd, 0xacd, GB_LINKER }, { 0xae2, 0xae3, GB_EXTEND },
    { 0xaf9, 0xaf9, GB_CONSONANT }, { 0xafa, 0xaff, GB_EXTEND },
    { 0xb01, 0xb01, GB_EXTEND }, { 0xb02, 0xb03, GB_SPACING },
    { 0xb15, 0xb28, GB_CONSONANT }, { 0xb2a, 0xb30, GB_CONSONANT },
    { 0xb32, 0xb33, GB_CONSONANT }, { 0xb35, 0xb39, GB_CONSONANT },
    { 0xb3c, 0xb3c, GB_EXTEND }, { 0xb3e, 0xb3f, GB_EXTEND },
    { 0xb40, 0xb40, GB_SPACING }, { 0xb41, 0xb44, GB_EXTEND },
    { 0xb47, 0xb48, GB_SPACING }, { 0xb4b, 0xb4c, GB_SPACING },
    { 0xb4d, 0xb4d, GB_LINKER }, { 0xb55, 0xb57, GB_EXTEND },
    { 0xb5c, 0xb5d, GB_CONSONANT }, { 0xb5f, 0xb5f, GB_CONSONANT },
    { 0xb62, 0xb63, GB_EXTEND }, { 0xb71, 0xb71, GB_CONSONANT },
    { 0xb82, 0xb82, GB_EXTEND }, { 0xbbe, 0xbbe, GB_EXTEND },
    { 0xbbf, 0xbbf, GB_SPACING }, { 0xbc0, 0xbc0, GB_EXTEND },
    { 0xbc1, 0xbc2, GB_SPACING }, { 0xbc6, 0xbc8, GB_SPACING },
    { 0xbca, 0xbcc, GB_SPACING }, { 0xbcd, 0xbcd, GB_EXTEND },
    { 0xbd7, 0xbd7, GB_EXTEND }, { 0xc00, 0xc00, GB_EXTEND },
    { 0xc01, 0xc03, GB_SPACING }, { 0xc04, 0xc04, GB_EXTEND },
    { 0xc15, 0xc28, GB_CONSONANT }, { 0xc2a, 0xc39, GB_CONSONANT },
    { 0xc3c, 0xc3c, GB_EXTEND }, { 0xc3e, 0xc40, GB_EXTEND },
    { 0xc41, 0xc44, GB_SPACING }, { 0xc46, 0xc48, GB_EXTEND },
    { 0xc4a, 0xc4c, GB_EXTEND }, { 0xc4d, 0xc4d, GB_LINKER },
    { 0xc55, 0xc56, GB_EXTEND }, { 0xc58, 0xc5a, GB_CONSONANT },
    { 0xc62, 0xc63, GB_EXTEND }, { 0xc81, 0xc81, GB_EXTEND },
    { 0xc82, 0xc83, GB_SPACING }, { 0xcbc, 0xcbc, GB_EXTEND },
    { 0xcbe, 0xcbe, GB_SPACING }, { 0xcbf, 0xcc0, GB_EXTEND },
    { 0xcc1, 0xcc1, GB_SPACING }, { 0xcc2, 0xcc2, GB_EXTEND },
    { 0xcc3, 0xcc4, GB_SPACING }, { 0xcc6, 0xcc8, GB_EXTEND },
    { 0xcca, 0xccd, GB_EXTEND }, { 0xcd5, 0xcd6, GB_EXTEND },
    { 0xce2, 0xce3, GB_EXTEND }, { 0xcf3, 0xcf3, GB_SPACING },
    { 0xd00, 0xd01, GB_EXTEND }, { 0xd02, 0xd03, GB_SPACING },
    { 0xd15, 0xd3a, GB_CONSONANT }, { 0xd3b, 0xd3c, GB_EXTEND },
    { 0xd3e, 0xd3e, GB_EXTEND }, { 0xd3f, 0xd40, GB_SPACING },
    { 0xd41, 0xd44, GB_EXTEND }, { 0xd46, 0xd48, GB_SPACING },
    { 0xd4a, 0xd4c, GB_SPACING }, { 0xd4d, 0xd4d, GB_LINKER },
    { 0xd4e, 0xd4e, GB_PREPEND }, { 0xd57, 0xd57, GB_EXTEND },
    { 0xd62, 0xd63, GB_EXTEND }, { 0xd81, 0xd81, GB_EXTEND },
    { 0xd82, 0xd83, GB_SPACING }, { 0xdca, 0xdca, GB_EXTEND },
    { 0xdcf, 0xdcf, GB_EXTEND }, { 0xdd0, 0xdd1, GB_SPACING },
    { 0xdd2, 0xdd4, GB_EXTEND }, { 0xdd6, 0xdd6, GB_EXTEND },
    { 0xdd8, 0xdde, GB_SPACING }, { 0xddf, 0xddf, GB_EXTEND },
    { 0xdf2, 0xdf3, GB_SPACING }, { 0xe31, 0xe31, GB_EXTEND },
    { 0xe33, 0xe33, GB_SPACING }, { 0xe34, 0xe3a, GB_EXTEND },
    { 0xe47, 0xe4e, GB_EXTEND }, { 0xeb1, 0xeb1, GB_EXTEND },
    { 0xeb3, 0xeb3, GB_SPACING }, { 0xeb4, 0xebc, GB_EXTEND },
    { 0xec8, 0xece, GB_EXTEND }, { 0xf18, 0xf19, GB_EXTEND },
    { 0xf35, 0xf35, GB_EXTEND }, { 0xf37, 0xf37, GB_EXTEND },
    { 0xf39, 0xf39, GB_EXTEND }, { 0xf3e, 0xf3f, GB_SPACING },
    { 0xf71, 0xf7e, GB_EXTEND }, { 0xf7f, 0xf7f, GB_SPACING },
    { 0xf80, 0xf84, GB_EXTEND }, { 0xf86, 0xf87, GB_EXTEND },
    { 0xf8d, 0xf97, GB_EXTEND }, { 0xf99, 0xfbc, GB_EXTEND },
    { 0xfc6, 0xfc6, GB_EXTEND }, { 0x102d, 0x1030, GB_EXTEND },
    { 0x1031, 0x1031, GB_SPACING }, { 0x1032, 0x1037, GB_EXTEND },
    { 0x1039, 0x103a, GB_EXTEND }, { 0x103b, 0x103c, GB_SPACING },
    { 0x103d, 0x103e, GB_EXTEND }, { 0x1056, 0x1057, GB_SPACING },
    { 0x1058, 0x1059, GB_EXTEND }, { 0x105e, 0x1060, GB_EXTEND },
    { 0x1071, 0x1074, GB_EXTEND }, { 0x1082, 0x1082, GB_EXTEND },
    { 0x1084, 0x1084, GB_SPACING }, { 0x1085, 0x1086, GB_EXTEND },
    { 0x108d, 0x108d, GB_EXTEND }, { 0x109d, 0x109d, GB_EXTEND },
    { 0x1100, 0x115f, GB_L }, { 0x1160, 0x11a7, GB_V },
    { 0x11a8, 0x11ff, GB_T }, { 0x135d, 0x135f, GB_EXTEND },
    { 0x1712, 0x1715, GB_EXTEND }, { 0x1732, 0x1734, GB_EXTEND },
    { 0x1752, 0x1753, GB_EXTEND }, { 0x1772, 0x1773, GB_EXTEND },
    { 0x17b4, 0x17b5, GB_EXTEND }, { 0x17b6, 0x17b6, GB_SPACING },
    { 0x17b7, 0x17bd, GB_EXTEND }, { 0x17be, 0x17c5, GB_SPACING },
    { 0x17c6, 0x17c6, GB_EXTEND }, { 0x17c7, 0x17c8, GB_SPACING },
    { 0x17c9, 0x17d3, GB_EXTEND }, { 0x17dd, 0x17dd, GB_EXTEND },
    { 0x180b, 0x180d, GB_EXTEND }, { 0x180e, 0x180e, GB_CONTROL },
    { 0x180f, 0x180f, GB_EXTEND }, { 0x1885, 0x1886, GB_EXTEND },
    { 0x18a9, 0x18a9, GB_EXTEND }, { 0x1920, 0x1922, GB_EXTEND },
    { 0x1923, 0x1926, GB_SPACING }, { 0x1927, 0x1928, GB_EXTEND },
    { 0x1929, 0x192b, GB_SPACING }, { 0x1930, 0x1931, GB_SPACING },
    { 0x1932, 0x1932, GB_EXTEND }, { 0x1933, 0x1938, GB_SPACING },
    { 0x1939, 0x193b, GB_EXTEND }, { 0x1a17, 0x1a18, GB_EXTEND },
    { 0x1a19, 0x1a1a, GB_SPACING }, { 0x1a1b, 0x1a1b, GB_EXTEND },
    { 0x1a55, 0x1a55, GB_SPACING }, { 0x1a56, 0x1a56, GB_EXTEND },
    { 0x1a57, 0x1a57, GB_SPACING }, { 0x1a58, 0x1a5e, GB_EXTEND },
    { 0x1a60, 0x1a60, GB_EXTEND }, { 0x1a62, 0x1a62, GB_EXTEND },
    { 0x1a65, 0x1a6c, GB_EXTEND }, { 0x1a6d, 0x1a72, GB_SPACING },
    { 0x1a73, 0x1a7c, GB_EXTEND }, { 0x1a7f, 0x1a7f, GB_EXTEND },
    { 0x1ab0, 0x1ace, GB_EXTEND }, { 0x1b00, 0x1b03, GB_EXTEND },
    { 0x1b04, 0x1b04, GB_SPACING }, { 0x1b34, 0x1b3d, GB_EXTEND },
    { 0x1b3e, 0x1b41, GB_SPACING }, { 0x1b42, 0x1b44, GB_EXTEND },
    { 0x1b6b, 0x1b73, GB_EXTEND }, { 0x1b80, 0x1b81, GB_EXTEND },
    { 0x1b82, 0x1b82, GB_SPACING }, { 0x1ba1, 0x1ba1, GB_SPACING },
    { 0x1ba2, 0x1ba5, GB_EXTEND }, { 0x1ba6, 0x1ba7, GB_SPACING },
    { 0x1ba8, 0x1bad, GB_EXTEND }, { 0x1be6, 0x1be6, GB_EXTEND },
    { 0x1be7, 0x1be7, GB_SPACING }, { 0x1be8, 0x1be9, GB_EXTEND },
    { 0x1bea, 0x1bec, GB_SPACING }, { 0x1bed, 0x1bed, GB_EXTEND },
    { 0x1bee, 0x1bee, GB_SPACING }, { 0x1bef, 0x1bf3, GB_EXTEND },
    { 0x1c24, 0x1c2b, GB_SPACING }, { 0x1c2c, 0x1c33, GB_EXTEND },
    { 0x1c34, 0x1c35, GB_SPACING }, { 0x1c36, 0x1c37, GB_EXTEND },
    { 0x1cd0, 0x1cd2, GB_EXTEND }, { 0x1cd4, 0x1ce0, GB_EXTEND },
    { 0x1ce1, 0x1ce1, GB_SPACING }, { 0x1ce2, 0x1ce8, GB_EXTEND },
    { 0x1ced, 0x1ced, GB_EXTEND }, { 0x1cf4, 0x1cf4, GB_EXTEND },
    { 0x1cf7, 0x1cf7, GB_SPACING }, { 0x1cf8, 0x1cf9, GB_EXTEND },
    { 0x1dc0, 0x1dff, GB_EXTEND }, { 0x200b, 0x200b, GB_CONTROL },
    { 0x200c, 0x200c, GB_EXTEND }, { 0x200e, 0x200f, GB_CONTROL },
    { 0x2028, 0x202e, GB_CONTROL }, { 0x203c, 0x203c, GB_PICTURE },
    { 0x2049, 0x2049, GB_PICTURE }, { 0x2060, 0x206f, GB_CONTROL },
    { 0x20d0, 0x20f0, GB_EXTEND }, { 0x2122, 0x2122, GB_PICTURE },
    { 0x2139, 0x2139, GB_PICTURE }, { 0x2194, 0x2199, GB_PICTURE },
    { 0x21a9, 0x21aa, GB_PICTURE }, { 0x231a, 0x231b, GB_PICTURE },
    { 0x2328, 0x2328, GB_PICTURE }, { 0x2388, 0x2388, GB_PICTURE },
    { 0x23cf, 0x23cf, GB_PICTURE }, { 0x23e9, 0x23f3, GB_PICTURE },
    { 0x23f8, 0x23fa, GB_PICTURE }, { 0x24c2, 0x24c2, GB_PICTURE },
    { 0x25aa, 0x25ab, GB_PICTURE }, { 0x25b6, 0x25b6, GB_PICTURE },
    { 0x25c0, 0x25c0, GB_PICTURE }, { 0x25fb, 0x25fe, GB_PICTURE },
    { 0x2600, 0x2605, GB_PICTURE }, { 0x2607, 0x2612, GB_PICTURE },
    { 0x2614, 0x2685, GB_PICTURE }, { 0x2690, 0x2705, GB_PICTURE },
    { 0x2708, 0x2712, GB_PICTURE }, { 0x2714, 0x2714, GB_PICTURE },
    { 0x2716, 0x2716, GB_PICTURE }, { 0x271d, 0x271d, GB_PICTURE },
    { 0x2721, 0x2721, GB_PICTURE }, { 0x2728, 0x2728, GB_PICTURE },
    { 0x2733, 0x2734, GB_PICTURE }, { 0x2744, 0x2744, GB_PICTURE },
    { 0x2747, 0x2747, GB_PICTURE }, { 0x274c, 0x274c, GB_PICTURE },
    { 0x274e, 0x274e, GB_PICTURE }, { 0x2753, 0x2755, GB_PICTURE },
    { 0x2757, 0x2757, GB_PICTURE }, { 0x2763, 0x2767, GB_PICTURE },
    { 0x2795, 0x2797, GB_PICTURE }, { 0x27a1, 0x27a1, GB_PICTURE },
    { 0x27b0, 0x27b0, GB_PICTURE }, { 0x27bf, 0x27bf, GB_PICTURE },
    { 0x2934, 0x2935, GB_PICTURE }, { 0x2b05, 0x2b07, GB_PICTURE },
    { 0x2b1b, 0x2b1c, GB_PICTURE }, { 0x2b50, 0x2b50, GB_PICTURE },
    { 0x2b55, 0x2b55, GB_PICTURE }, { 0x2cef, 0x2cf1, GB_EXTEND },
    { 0x2d7f, 0x2d7f, GB_EXTEND }, { 0x2de0, 0x2dff, GB_EXTEND },
    { 0x302a, 0x302f, GB_EXTEND }, { 0x3030, 0x3030, GB_PICTURE },
    { 0x303d, 0x303d, GB_PICTURE }, { 0x3099, 0x309a, GB_EXTEND },
    { 0x3297, 0x3297, GB_PICTURE }, { 0x3299, 0x3299, GB_PICTURE },
    { 0xa66f, 0xa672, GB_EXTEND }, { 0xa674, 0xa67d, GB_EXTEND },
    { 0xa69e, 0xa69f, GB_EXTEND }, { 0xa6f0, 0xa6f1, GB_EXTEND },
    { 0xa802, 0xa802, GB_EXTEND }, { 0xa806, 0xa806, GB_EXTEND },
    { 0xa80b, 0xa80b, GB_EXTEND }, { 0xa823, 0xa824, GB_SPACING },
    { 0xa825, 0xa826, GB_EXTEND }, { 0xa827, 0xa827, GB_SPACING },
    { 0xa82c, 0xa82c, GB_EXTEND }, { 0xa880, 0xa881, GB_SPACING },
    { 0xa8b4, 0xa8c3, GB_SPACING }, { 0xa8c4, 0xa8c5, GB_EXTEND },
    { 0xa8e0, 0xa8f1, GB_EXTEND }, { 0xa8ff, 0xa8ff, GB_EXTEND },
    { 0xa926, 0xa92d, GB_EXTEND }, { 0xa947, 0xa951, GB_EXTEND },
    { 0xa952, 0xa952, GB_SPACING }, { 0xa953, 0xa953, GB_EXTEND },
    { 0xa960, 0xa97c, GB_L }, { 0xa980, 0xa982, GB_EXTEND },
    { 0xa983, 0xa983, GB_SPACING }, { 0xa9b3, 0xa9b3, GB_EXTEND },
    { 0xa9b4, 0xa9b5, GB_SPACING }, { 0xa9b6, 0xa9b9, GB_EXTEND },
    { 0xa9ba, 0xa9bb, GB_SPACING }, { 0xa9bc, 0xa9bd, GB_EXTEND },
    { 0xa9be, 0xa9bf, GB_SPACING }, { 0xa9c0, 0xa9c0, GB_EXTEND },
    { 0xa9e5, 0xa9e5, GB_EXTEND }, { 0xaa29, 0xaa2e, GB_EXTEND },
    { 0xaa2f, 0xaa30, GB_SPACING }, { 0xaa31, 0xaa32, GB_EXTEND },
    { 0xaa33, 0xaa34, GB_SPACING }, { 0xaa35, 0xaa36, GB_EXTEND },
    { 0xaa43, 0xaa43, GB_EXTEND }, { 0xaa4c, 0xaa4c, GB_EXTEND },
    { 0xaa4d, 0xaa4d, GB_SPACING }, { 0xaa7c, 0xaa7c, GB_EXTEND },
    { 0xaab0, 0xaab0, GB_EXTEND }, { 0xaab2, 0xaab4, GB_EXTEND },
    { 0xaab7, 0xaab8, GB_EXTEND }, { 0xaabe, 0xaabf, GB_EXTEND },
    { 0xaac1, 0xaac1, GB_EXTEND }, { 0xaaeb, 0xaaeb, GB_SPACING },
    { 0xaaec, 0xaaed, GB_EXTEND }, { 0xaaee, 0xaaef, GB_SPACING },
    { 0xaaf5, 0xaaf5, GB_SPACING }, { 0xaaf6, 0xaaf6, GB_EXTEND },
    { 0xabe3, 0xabe4, GB_SPACING }, { 0xabe5, 0xabe5, GB_EXTEND },
    { 0xabe6, 0xabe7, GB_SPACING }, { 0xabe8, 0xabe8, GB_EXTEND },
    { 0xabe9, 0xabea, GB_SPACING }, { 0xabec, 0xabec, GB_SPACING },
    { 0xabed, 0xabed, GB_EXTEND }, { 0xd7b0, 0xd7c6, GB_V },
    { 0xd7cb, 0xd7fb, GB_T }, { 0xfb1e, 0xfb1e, GB_EXTEND },
    { 0xfe00, 0xfe0f, GB_EXTEND }, { 0xfe20, 0xfe2f, GB_EXTEND },
    { 0xfeff, 0xfeff, GB_CONTROL }, { 0xff9e, 0xff9f, GB_EXTEND },
    { 0xfff0, 0xfffb, GB_CONTROL }, { 0x101fd, 0x101fd, GB_EXTEND },
    { 0x102e0, 0x102e0, GB_EXTEND }, { 0x10376, 0x1037a, GB_EXTEND },
    { 0x10a01, 0x10a03, GB_EXTEND }, { 0x10a05, 0x10a06, GB_EXTEND },
    { 0x10a0c, 0x10a0f, GB_EXTEND }, { 0x10a38, 0x10a3a, GB_EXTEND },
    { 0x10a3f, 0x10a3f, GB_EXTEND }, { 0x10ae5, 0x10ae6, GB_EXTEND },
    { 0x10d24, 0x10d27, GB_EXTEND }, { 0x10d69, 0x10d6d, GB_EXTEND },
    { 0x10eab, 0x10eac, GB_EXTEND }, { 0x10efc, 0x10eff, GB_EXTEND },
    { 0x10f46, 0x10f50, GB_EXTEND }, { 0x10f82, 0x10f85, GB_EXTEND },
    { 0x11000, 0x11000, GB_SPACING }, { 0x11001, 0x11001, GB_EXTEND },
    { 0x11002, 0x11002, GB_SPACING }, { 0x11038, 0x11046, GB_EXTEND },
    { 0x11070, 0x11070, GB_EXTEND }, { 0x11073, 0x11074, GB_EXTEND },
    { 0x1107f, 0x11081, GB_EXTEND }, { 0x11082, 0x11082, GB_SPACING },
    { 0x110b0, 0x110b2, GB_SPACING }, { 0x110b3, 0x110b6, GB_EXTEND },
    { 0x110b7, 0x110b8, GB_SPACING }, { 0x110b9, 0x110ba, GB_EXTEND },
    { 0x110bd, 0x110bd, GB_PREPEND }, { 0x110c2, 0x110c2, GB_EXTEND },
    { 0x110cd, 0x110cd, GB_PREPEND }, { 0x11100, 0x11102, GB_EXTEND },
    { 0x11127, 0x1112b, GB_EXTEND }, { 0x1112c, 0x1112c, GB_SPACING },
    { 0x1112d, 0x11134, GB_EXTEND }, { 0x11145, 0x11146, GB_SPACING },
    { 0x11173, 0x11173, GB_EXTEND }, { 0x11180, 0x11181, GB_EXTEND },
    { 0x11182, 0x11182, GB_SPACING }, { 0x111b3, 0x111b5, GB_SPACING },
    { 0x111b6, 0x111be, GB_EXTEND }, { 0x111bf, 0x111bf, GB_SPACING },
    { 0x111c0, 0x111c0, GB_EXTEND }, { 0x111c2, 0x111c3, GB_PREPEND },
    { 0x111c9, 0x111cc, GB_EXTEND }, { 0x111ce, 0x111ce, GB_SPACING },
    { 0x111cf, 0x111cf, GB_EXTEND }, { 0x1122c, 0x1122e, GB_SPACING },
    { 0x1122f, 0x11231, GB_EXTEND }, { 0x11232, 0x11233, GB_SPACING },
    { 0x11234, 0x11237, GB_EXTEND }, { 0x1123e, 0x1123e, GB_EXTEND },
    { 0x11241, 0x11241, GB_EXTEND }, { 0x112df, 0x112df, GB_EXTEND },
    { 0x112e0, 0x112e2, GB_SPACING }, { 0x112e3, 0x112ea, GB_EXTEND },
    { 0x11300, 0x11301, GB_EXTEND }, { 0x11302, 0x11303, GB_SPACING },
    { 0x1133b, 0x1133c, GB_EXTEND }, { 0x1133e, 0x1133e, GB_EXTEND },
    { 0x1133f, 0x1133f, GB_SPACING }, { 0x11340, 0x11340, GB_EXTEND },
    { 0x11341, 0x11344, GB_SPACING }, { 0x11347, 0x11348, GB_SPACING },
    { 0x1134b, 0x1134c, GB_SPACING }, { 0x1134d, 0x1134d, GB_EXTEND },
    { 0x11357, 0x11357, GB_EXTEND }, { 0x11362, 0x11363, GB_SPACING },
    { 0x11366, 0x1136c, GB_EXTEND }, { 0x11370, 0x11374, GB_EXTEND },
    { 0x113b8, 0x113b8, GB_EXTEND }, { 0x113b9, 0x113ba, GB_SPACING },
    { 0x113bb, 0x113c0, GB_EXTEND }, { 0x113c2, 0x113c2, GB_EXTEND },
    { 0x113c5, 0x113c5, GB_EXTEND }, { 0x113c7, 0x113c9, GB_EXTEND },
    { 0x113ca, 0x113ca, GB_SPACING }, { 0x113cc, 0x113cd, GB_SPACING },
    { 0x113ce, 0x113d0, GB_EXTEND }, { 0x113d1, 0x113d1, GB_PREPEND },
    { 0x113d2, 0x113d2, GB_EXTEND }, { 0x113e1, 0x113e2, GB_EXTEND },
    { 0x11435, 0x11437, GB_SPACING }, { 0x11438, 0x1143f, GB_EXTEND },
    { 0x11440, 0x11441, GB_SPACING }, { 0x11442, 0x11444, GB_EXTEND },
    { 0x11445, 0x11445, GB_SPACING }, { 0x11446, 0x11446, GB_EXTEND },
    { 0x1145e, 0x1145e, GB_EXTEND }, { 0x114b0, 0x114b0, GB_EXTEND },
    { 0x114b1, 0x114b2, GB_SPACING }, { 0x114b3, 0x114b8, GB_EXTEND },
    { 0x114b9, 0x114b9, GB_SPACING }, { 0x114ba, 0x114ba, GB_EXTEND },
    { 0x114bb, 0x114bc, GB_SPACING }, { 0x114bd, 0x114bd, GB_EXTEND },
    { 0x114be, 0x114be, GB_SPACING }, { 0x114bf, 0x114c0, GB_EXTEND },
    { 0x114c1, 0x114c1, GB_SPACING }, { 0x114c2, 0x114c3, GB_EXTEND },
    { 0x115af, 0x115af, GB_EXTEND }, { 0x115b0, 0x115b1, GB_SPACING },
    { 0x115b2, 0x115b5, GB_EXTEND }, { 0x115b8, 0x115bb, GB_SPACING },
    { 0x115bc, 0x115bd, GB_EXTEND }, { 0x115be, 0x115be, GB_SPACING },
    { 0x115bf, 0x115c0, GB_EXTEND }, { 0x115dc, 0x115dd, GB_EXTEND },
    { 0x11630, 0x11632, GB_SPACING }, { 0x11633, 0x1163a, GB_EXTEND },
    { 0x1163b, 0x1163c, GB_SPACING }, { 0x1163d, 0x1163d, GB_EXTEND },
    { 0x1163e, 0x1163e, GB_SPACING }, { 0x1163f, 0x11640, GB_EXTEND },
    { 0x116ab, 0x116ab, GB_EXTEND }, { 0x116ac, 0x116ac, GB_SPACING },
    { 0x116ad, 0x116ad, GB_EXTEND }, { 0x116ae, 0x116af, GB_SPACING },
    { 0x116b0, 0x116b7, GB_EXTEND }, { 0x1171d, 0x1171d, GB_EXTEND },
    { 0x1171e, 0x1171e, GB_SPACING }, { 0x1171f, 0x1171f, GB_EXTEND },
    { 0x11722, 0x11725, GB_EXTEND }, { 0x11726, 0x11726, GB_SPACING },
    { 0x11727, 0x1172b, GB_EXTEND }, { 0x1182c, 0x1182e, GB_SPACING },
    { 0x1182f, 0x11837, GB_EXTEND }, { 0x11838, 0x11838, GB_SPACING },
    { 0x11839, 0x1183a, GB_EXTEND }, { 0x11930, 0x11930, GB_EXTEND },
    { 0x11931, 0x11935, GB_SPACING }, { 0x11937, 0x11938, GB_SPACING },
    { 0x1193b, 0x1193e, GB_EXTEND }, { 0x1193f, 0x1193f, GB_PREPEND },
    { 0x11940, 0x11940, GB_SPACING }, { 0x11941, 0x11941, GB_PREPEND },
    { 0x11942, 0x11942, GB_SPACING }, { 0x11943, 0x11943, GB_EXTEND },
    { 0x119d1, 0x119d3, GB_SPACING }, { 0x119d4, 0x119d7, GB_EXTEND },
    { 0x119da, 0x119db, GB_EXTEND }, { 0x119dc, 0x119df, GB_SPACING },
    { 0x119e0, 0x119e0, GB_EXTEND }, { 0x119e4, 0x119e4, GB_SPACING },
    { 0x11a01, 0x11a0a, GB_EXTEND }, { 0x11a33, 0x11a38, GB_EXTEND },
    { 0x11a39, 0x11a39, GB_SPACING }, { 0x11a3a, 0x11a3a, GB_PREPEND },
    { 0x11a3b, 0x11a3e, GB_EXTEND }, { 0x11a47, 0x11a47, GB_EXTEND },
    { 0x11a51, 0x11a56, GB_EXTEND }, { 0x11a57, 0x11a58, GB_SPACING },
    { 0x11a59, 0x11a5b, GB_EXTEND }, { 0x11a84, 0x11a89, GB_PREPEND },
    { 0x11a8a, 0x11a96, GB_EXTEND }, { 0x11a97, 0x11a97, GB_SPACING },
    { 0x11a98, 0x11a99, GB_EXTEND }, { 0x11c2f, 0x11c2f, GB_SPACING },
    { 0x11c30, 0x11c36, GB_EXTEND }, { 0x11c38, 0x11c3d, GB_EXTEND },
    { 0x11c3e, 0x11c3e, GB_SPACING }, { 0x11c3f, 0x11c3f, GB_EXTEND },
    { 0x11c92, 0x11ca7, GB_EXTEND }, { 0x11ca9, 0x11ca9, GB_SPACING },
    { 0x11caa, 0x11cb0, GB_EXTEND }, { 0x11cb1, 0x11cb1, GB_SPACING },
    { 0x11cb2, 0x11cb3, GB_EXTEND }, { 0x11cb4, 0x11cb4, GB_SPACING },
    { 0x11cb5, 0x11cb6, GB_EXTEND }, { 0x11d31, 0x11d36, GB_EXTEND },
    { 0x11d3a, 0x11d3a, GB_EXTEND }, { 0x11d3c, 0x11d3d, GB_EXTEND },
    { 0x11d3f, 0x11d45, GB_EXTEND }, { 0x11d46, 0x11d46, GB_PREPEND },
    { 0x11d47, 0x11d47, GB_EXTEND }, { 0x11d8a, 0x11d8e, GB_SPACING },
    { 0x11d90, 0x11d91, GB_EXTEND }, { 0x11d93, 0x11d94, GB_SPACING },
    { 0x11d95, 0x11d95, GB_EXTEND }, { 0x11d96, 0x11d96, GB_SPACING },
    { 0x11d97, 0x11d97, GB_EXTEND }, { 0x11ef3, 0x11ef4, GB_EXTEND },
    { 0x11ef5, 0x11ef6, GB_SPACING }, { 0x11f00, 0x11f01, GB_EXTEND },
    { 0x11f02, 0x11f02, GB_PREPEND }, { 0x11f03, 0x11f03, GB_SPACING },
    { 0x11f34, 0x11f35, GB_SPACING }, { 0x11f36, 0x11f3a, GB_EXTEND },
    { 0x11f3e, 0x11f3f, GB_SPACING }, { 0x11f40, 0x11f42, GB_EXTEND },
    { 0x11f5a, 0x11f5a, GB_EXTEND }, { 0x13430, 0x1343f, GB_CONTROL },
    { 0x13440, 0x13440, GB_EXTEND }, { 0x13447, 0x13455, GB_EXTEND },
    { 0x1611e, 0x16129, GB_EXTEND }, { 0x1612a, 0x1612c, GB_SPACING },
    { 0x1612d, 0x1612f, GB_EXTEND }, { 0x16af0, 0x16af4, GB_EXTEND },
    { 0x16b30, 0x16b36, GB_EXTEND }, { 0x16d63, 0x16d63, GB_V },
    { 0x16d67, 0x16d6a, GB_V }, { 0x16f4f, 0x16f4f, GB_EXTEND },
    { 0x16f51, 0x16f87, GB_SPACING }, { 0x16f8f, 0x16f92, GB_EXTEND },
    { 0x16fe4, 0x16fe4, GB_EXTEND }, { 0x16ff0, 0x16ff1, GB_EXTEND },
    { 0x1bc9d, 0x1bc9e, GB_EXTEND }, { 0x1bca0, 0x1bca3, GB_CONTROL },
    { 0x1cf00, 0x1cf2d, GB_EXTEND }, { 0x1cf30, 0x1cf46, GB_EXTEND },
    { 0x1d165, 0x1d169, GB_EXTEND }, { 0x1d16d, 0x1d172, GB_EXTEND },
    { 0x1d173, 0x1d17a, GB_CONTROL }, { 0x1d17b, 0x1d182, GB_EXTEND },
    { 0x1d185, 0x1d18b, GB_EXTEND }, { 0x1d1aa, 0x1d1ad, GB_EXTEND },
    { 0x1d242, 0x1d244, GB_EXTEND }, { 0x1da00, 0x1da36, GB_EXTEND },
    { 0x1da3b, 0x1da6c, GB_EXTEND }, { 0x1da75, 0x1da75, GB_EXTEND },
    { 0x1da84, 0x1da84, GB_EXTEND }, { 0x1da9b, 0x1da9f, GB_EXTEND },
    { 0x1daa1, 0x1daaf, GB_EXTEND }, { 0x1e000, 0x1e006, GB_EXTEND },
    { 0x1e008, 0x1e018, GB_EXTEND }, { 0x1e01b, 0x1e021, GB_EXTEND },
    { 0x1e023, 0x1e024, GB_EXTEND }, { 0x1e026, 0x1e02a, GB_EXTEND },
    { 0x1e08f, 0x1e08f, GB_EXTEND }, { 0x1e130, 0x1e136, GB_EXTEND },
    { 0x1e2ae, 0x1e2ae, GB_EXTEND }, { 0x1e2ec, 0x1e2ef, GB_EXTEND },
    { 0x1e4ec, 0x1e4ef, GB_EXTEND }, { 0x1e5ee, 0x1e5ef, GB_EXTEND },
    { 0x1e8d0, 0x1e8d6, GB_EXTEND }, { 0x1e944, 0x1e94a, GB_EXTEND },
    { 0x1f000, 0x1f0ff, GB_PICTURE }, { 0x1f10d, 0x1f10f, GB_PICTURE },
    { 0x1f12f, 0x1f12f, GB_PICTURE }, { 0x1f16c, 0x1f171, GB_PICTURE },
    { 0x1f17e, 0x1f17f, GB_PICTURE }, { 0x1f18e, 0x1f18e, GB_PICTURE },
    { 0x1f191, 0x1f19a, GB_PICTURE }, { 0x1f1ad, 0x1f1e5, GB_PICTURE },
    { 0x1f1e6, 0x1f1ff, GB_REGIONAL }, { 0x1f201, 0x1f20f, GB_PICTURE },
    { 0x1f21a, 0x1f21a, GB_PICTURE }, { 0x1f22f, 0x1f22f, GB_PICTURE },
    { 0x1f232, 0x1f23a, GB_PICTURE }, { 0x1f23c, 0x1f23f, GB_PICTURE },
    { 0x1f249, 0x1f3fa, GB_PICTURE }, { 0x1f3fb, 0x1f3ff, GB_EXTEND },
    { 0x1f400, 0x1f53d, GB_PICTURE }, { 0x1f546, 0x1f64f, GB_PICTURE },
    { 0x1f680, 0x1f6ff, GB_PICTURE }, { 0x1f774, 0x1f77f, GB_PICTURE },
    { 0x1f7d5, 0x1f7ff, GB_PICTURE }, { 0x1f80c, 0x1f80f, GB_PICTURE },
    { 0x1f848, 0x1f84f, GB_PICTURE }, { 0x1f85a, 0x1f85f, GB_PICTURE },
    { 0x1f888, 0x1f88f, GB_PICTURE }, { 0x1f8ae, 0x1f8ff, GB_PICTURE },
    { 0x1f90c, 0x1f93a, GB_PICTURE }, { 0x1f93c, 0x1f945, GB_PICTURE },
    { 0x1f947, 0x1faff, GB_PICTURE }, { 0x1fc00, 0x1fffd, GB_PICTURE },
    { 0xe0000, 0xe001f, GB_CONTROL }, { 0xe0020, 0xe007f, GB_EXTEND },
    { 0xe0080, 0xe00ff, GB_CONTROL }, { 0xe0100, 0xe01ef, GB_EXTEND },
    { 0xe01f0, 0xe0fff, GB_CONTROL },
};


static ngx_campfire_base_grapheme_e
ngx_campfire_base_grapheme_class(uint32_t c)
{
    size_t                                     low, high, mid;
    const ngx_campfire_base_grapheme_range_t  *r;

    if (c < 0x80) {
        return (c == '\r') ? GB_CR
               : (c == '\n') ? GB_LF
               : (c < 0x20 || c == 0x7f) ? GB_CONTROL
               : GB_OTHER;
    }

    if (c >= 0xac00 && c <= 0xd7a3) {
        return ((c - 0xac00) % 28) ? GB_LVT : GB_LV;
    }

    if (c == 0x200c) {
        return GB_NONJOINER;
    }

    if (c == 0x200d) {
        return GB_ZWJ;
    }

    low = 0;
    high = sizeof(ngx_campfire_base_grapheme_ranges)
           / sizeof(ngx_campfire_base_grapheme_range_t);

    while (low < high) {
        mid = low + (high - low) / 2;
        r = &ngx_campfire_base_grapheme_ranges[mid];

        if (c < r->first) {
            high = mid;

        } else if (c > r->last) {
            low = mid + 1;

        } else {
            return r->class;
        }
    }

    return GB_OTHER;
}


static ngx_campfire_base_grapheme_e
ngx_campfire_base_grapheme_read(const u_char **p, const u_char *last)
{
    uint32_t  c;

    if (ngx_campfire_base_utf8_decode(p, last, &c) != NGX_OK) {
        (*p)++;
        return GB_OTHER;
    }

    return ngx_campfire_base_grapheme_class(c);
}


/* Whether a Hangul syllable goes on. */
static ngx_uint_t
ngx_campfire_base_grapheme_hangul(ngx_campfire_base_grapheme_e a,
    ngx_campfire_base_grapheme_e b)
{
    switch (a) {

    case GB_L:
        return (b == GB_L || b == GB_V || b == GB_LV || b == GB_LVT);

    case GB_LV:
    case GB_V:
        return (b == GB_V || b == GB_T);

    case GB_LVT:
    case GB_T:
        return (b == GB_T);

    default:
        return 0;
    }
}


const u_char *
ngx_campfire_base_grapheme_next(const u_char *p, const u_char *last)
{
    ngx_uint_t                    conjunct, linked, picture, joins, regional;
    const u_char                 *next;
    ngx_campfire_base_grapheme_e  a, b;

    next = p;
    a = ngx_campfire_base_grapheme_read(&next, last);

    conjunct = (a == GB_CONSONANT);     /* consonant, then extenders */
    linked = 0;                         /* a linker among them */
    picture = (a == GB_PICTURE);        /* picture, then extenders */
    joins = 0;                          /* ... and a joiner last */
    regional = (a == GB_REGIONAL);      /* an odd number of indicators */

    for ( ;; ) {
        p = next;

        if (p == last) {
            return p;
        }

        b = ngx_campfire_base_grapheme_read(&next, last);

        if (a == GB_CR && b == GB_LF) {
            return next;
        }

        if (a == GB_CR || a == GB_LF || a == GB_CONTROL
            || b == GB_CR || b == GB_LF || b == GB_CONTROL)
        {
            return p;
        }

        if (!(ngx_campfire_base_grapheme_hangul(a, b)
              || b == GB_EXTEND || b == GB_NONJOINER || b == GB_LINKER
              || b == GB_ZWJ || b == GB_SPACING
              || a == GB_PREPEND
              || (conjunct && linked && b == GB_CONSONANT)
              || (joins && b == GB_PICTURE)
              || (regional && b == GB_REGIONAL)))
        {
            return p;
        }

        joins = (picture && b == GB_ZWJ);
        picture = (b == GB_PICTURE)
                  || (picture && (b == GB_EXTEND || b == GB_NONJOINER
                                  || b == GB_LINKER));
        picture |= joins;

        linked = (b != GB_CONSONANT) && (linked || b == GB_LINKER);
        conjunct = (b == GB_CONSONANT)
                   || (conjunct && (b == GB_EXTEND || b == GB_LINKER
                                    || b == GB_ZWJ));

        regional = (b == GB_REGIONAL && !regional);
        a = b;
    }
}


ngx_uint_t
ngx_campfire_base_grapheme_count(const u_char *p, size_t len, ngx_uint_t max)
{
    ngx_uint_t     n;
    const u_char  *last;

    if (len == 0) {
        return 0;
    }

    last = p + len;

    for (n = 0; p < last && n <= max; n++) {
        p = ngx_campfire_base_grapheme_next(p, last);
    }

    return n;
}
