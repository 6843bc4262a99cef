// SPDX-License-Identifier: MIT
// The one shader of all surfaces: texture times light, as bspkit render computes it (render/span.h).

export const vertexShader = /* glsl */ `
precision highp float;
in vec3 position;
in vec2 uv;
in vec2 lightUv;
in vec4 color;
in vec4 tint;
uniform mat4 projectionMatrix;
uniform mat4 modelViewMatrix;
uniform vec2 scroll; // repeats a second
uniform float time;
uniform vec3 eye;
uniform int facing; // bsp_sprite_facing
#ifdef FADES
in vec3 fadeAt;
uniform vec2 fade; // distances at which it begins to fade, and is gone
#endif
out float vLeft;
out vec2 vUv;
out vec3 vLight;
out vec4 vColor;
out vec4 vTint;
out vec3 vWorld;
out float vDepth;
#ifdef TURNS
// The corner of a sprite that turns: lightUv is where it is to the right and above.
vec3 turned() {
  mat3 view = transpose(mat3(modelViewMatrix)); // its columns are right, up and back
  bool plan = projectionMatrix[2][3] == 0.0;
  vec3 right = view[0], up = view[1];
  bool upright = facing == 0 || facing == 1;
  if (upright || facing == 5) {
    vec3 back = facing == 0 || plan ? view[2] : eye - position;
    if (upright) back.z = 0.0;
    vec3 side = cross(vec3(0.0, 0.0, 1.0), back);
    bool known = length(back) > 0.0 && length(side) > 0.0;
    right = known ? normalize(side) : right;
    if (known) up = cross(normalize(back), right);
    else if (upright) up = vec3(0.0, 0.0, 1.0);
  }
  float size = 1.0;
#ifdef GLOWS
  if (!plan) size = min(distance(eye, position) / 200.0, 20.0);
#endif
  return position + size * (right * lightUv.x + up * lightUv.y);
}
#endif

#ifdef FADES
// How much is left, by squares of distances; nothing fades in a plan.
float left() {
  vec3 way = fadeAt - eye;
  float far = dot(way, way), least = fade.x * fade.x, most = fade.y * fade.y;
  if (far <= least || projectionMatrix[2][3] == 0.0) return 1.0;
  return far < most ? (most - far) / (most - least) : 0.0;
}
#endif

void main() {
#ifdef TURNS
  vec3 corner = turned();
#else
  vec3 corner = position;
#endif
  vec4 place = modelViewMatrix * vec4(corner, 1.0);
  vLeft = 1.0;
#ifdef GLOWS
  float way = distance(eye, position);
  vLeft = clamp(19000.0 / (way * way), 0.05, 1.0);
#endif
  bool drawn = true;
#ifdef FADES
  float part = left();
  vLeft *= part;
#if defined(FADING)
  drawn = part > 0.0 && part < 1.0;
#elif defined(BLENDED)
  drawn = part > 0.0;
#else
  drawn = part == 1.0;
#endif
#endif
  vUv = uv + fract(scroll * time);
#ifdef FLOWS
  // Quake 2: 64 repeats in 40 seconds, backwards.
  vUv.x -= fract(mod(time, 40.0) * 1.6);
#endif
  // x is 2 * page + 1/2 + u.
  float page = floor(lightUv.x * 0.5);
  vLight = vec3(lightUv.x - 2.0 * page - 0.5, lightUv.y, page);
  vColor = color;
  vTint = tint;
  vWorld = corner;
  vDepth = -place.z;
  gl_Position = projectionMatrix * place;
  // A corner exactly beside the eye: SwiftShader divides by it before it clips, and the triangle loses texture and light.
  if (abs(gl_Position.w) < 0.02) gl_Position.w = 0.02;
  if (!drawn) gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside of the picture, as all of its triangle
}
`;

export const fragmentShader = /* glsl */ `
precision highp float;
precision highp sampler2DArray;
in vec2 vUv;
in vec3 vLight;
in vec4 vColor;
in vec4 vTint;
in vec3 vWorld;
in float vDepth;
in float vLeft;
uniform sampler2D map;
uniform sampler2D second;
uniform sampler2DArray pages;
uniform vec2 texels;
uniform float time;
uniform float opacity;
uniform float cut;
uniform vec3 plain;
uniform int look; // 0 as in the game, 1 full bright, 2 light only, 3 tint
uniform vec4 fogRange; // start, end or density, most, curve (0 none, 1 linear, 2 exp2)
uniform vec3 fogColor;
uniform vec4 volumePlane; // normal, dist
uniform vec4 volumeFog; // color, distance; 0: none
uniform float volumeBounded;
uniform vec3 eye;
#ifdef MIRRORS
uniform samplerCube cube;
uniform sampler2D mask;
uniform float mirrored; // 1 when the cube is there
uniform float masked;
uniform vec3 mirrorTint;
uniform vec3 mirrorLook; // contrast, saturation, fresnel
#endif
#ifdef BLENDED
uniform sampler2D behind; // the picture before what mirrors is blended into it
#endif
out vec4 result;

#ifdef MIRRORS
// The light that the surface mirrors, in linear light.
vec3 mirroredLight(float clear) {
  vec3 way = vWorld - eye;
  vec3 normal = normalize(cross(dFdx(vWorld), dFdy(vWorld)));
  if (dot(normal, way) > 0.0) normal = -normal;
  vec3 direction = reflect(way, normal);
  float aside = clamp(1.0 + dot(normal, normalize(way)), 0.0, 1.0);
  float seen = mix(pow(aside, 5.0), 1.0, mirrorLook.z) * clear * mirrored;
  vec3 light = texture(cube, direction).rgb;
  light *= light;
  light += (light * light - light) * mirrorLook.x;
  light = mix(vec3(dot(light, vec3(0.299, 0.587, 0.114))), light, mirrorLook.y);
  vec3 parts = mirrorTint * seen;
  if (masked > 0.5) parts *= texture(mask, vUv).rgb;
  return max(light * parts, 0.0);
}

// Adds linear light, which squares stand for.
vec3 withLight(vec3 shown, vec3 light) {
  return min(sqrt(shown * shown + light), 1.0);
}
#endif

#ifdef BUMPED
uniform sampler2D bump;
uniform float bumped; // 1 when the normal map is there
// The three directions, tangent, binormal and normal (mesh/bump.h).
const mat3 DIRECTIONS = mat3(0.816496581, 0.0, 0.577350269, -0.408248290, 0.707106781, 0.577350269,
                             -0.408248290, -0.707106781, 0.577350269);

// Mixes the light of the three directions; their pages come after those of flat surfaces.
vec3 bumpLight() {
  vec3 normal = texture(bump, vUv).rgb;
  float count = float(textureSize(pages, 0).z / 4);
#ifdef SELF_SHADOWED
  vec3 parts = normal;
#else
  vec3 along = clamp((normal * 2.0 - 1.0) * DIRECTIONS, 0.0, 2.0);
  vec3 parts = along * along;
  parts /= parts.x + parts.y + parts.z + 1e-6;
#endif
  vec3 light = vec3(0.0);
  for (int i = 0; i < 3; i++) {
    light += texture(pages, vec3(vLight.xy, vLight.z + float(i + 1) * count)).rgb * parts[i];
  }
  return min(light, 1.0);
}
#endif

vec4 texel() {
  vec2 at = vUv;
#ifdef WARPS
  // Quake: 8 texels to and fro, by a sine of the other coordinate.
  vec2 t = vUv * texels;
  at += sin(t.yx * 0.125 + mod(time, 6.28318531)) * 8.0 / texels;
#endif
  vec4 c = texture(map, at);
#ifdef MIXED
  c = mix(c, texture(second, at), vColor.a);
#endif
  return c;
}

float haze() {
  if (fogRange.w == 1.0) return clamp((vDepth - fogRange.x) / (fogRange.y - fogRange.x), 0.0, fogRange.z);
  float thick = vDepth * fogRange.y;
  return fogRange.w == 2.0 ? min(1.0 - exp(-thick * thick), fogRange.z) : 0.0;
}

// The part of the way that lies in the volume; Quake 3's fog grows with its root.
float volumeHaze() {
  float way = vDepth;
  if (volumeBounded > 0.5) {
    float here = dot(volumePlane.xyz, eye) - volumePlane.w;
    float there = dot(volumePlane.xyz, vWorld) - volumePlane.w;
    float part = here >= 0.0 ? (there < 0.0 ? there / (there - here) : 0.0)
                             : (there > 0.0 ? here / (here - there) : 1.0);
    way *= part;
  }
  return sqrt(clamp(way / volumeFog.w, 0.0, 1.0));
}

void main() {
#ifdef PLAIN
  vec4 c = vec4(plain, 1.0);
#else
  vec4 c = texel();
#endif
#ifdef ALPHA_TEST
  if (c.a < cut) discard;
#endif
  vec3 light = vec3(1.0);
#ifdef PAGE_LIT
  light = texture(pages, vLight).rgb;
#ifdef BUMPED
  if (bumped > 0.5) light = bumpLight();
#endif
  light *= 255.0 / 128.0;
#endif
#ifdef VERTEX_LIT
  light = vColor.rgb;
#endif
  if (look == 1) light = vec3(1.0);
  if (look == 2) c.rgb = vec3(0.5);
  if (look == 3) c.rgb = vTint.rgb * (0.6 + 0.4 * dot(c.rgb, vec3(0.333)));
  c.rgb = min(c.rgb * light, 1.0);
  float covered = volumeFog.w > 0.0 ? volumeHaze() : haze();
  vec3 veil = volumeFog.w > 0.0 ? volumeFog.rgb : fogColor;
#ifdef ADDS
  veil = vec3(0.0);
#endif
#ifdef FILTERS
  veil = vec3(1.0);
#endif
  c.rgb = mix(c.rgb, veil, covered);
#if defined(MIRRORS) && !defined(BLENDED)
  if (look == 0 || look == 1) c.rgb = withLight(c.rgb, mirroredLight(1.0 - covered));
#endif
#ifdef OWN_ALPHA
  result = vec4(c.rgb, c.a * opacity * vLeft);
#else
  result = vec4(c.rgb, opacity * vLeft);
#endif
#ifdef ENTITY_ADDS
  result.rgb *= opacity * vLeft;
#endif
#if defined(MIRRORS) && defined(BLENDED)
  // What it mirrors is added to the colour that blending makes: the difference goes into the blend.
  vec3 before = texelFetch(behind, ivec2(gl_FragCoord.xy), 0).rgb;
#ifdef ADDS
  vec3 shown = min(before + result.rgb, 1.0);
#else
  result.rgb *= result.a;
  vec3 shown = before * (1.0 - result.a) + result.rgb;
#endif
  if (look == 0 || look == 1) result.rgb += withLight(shown, mirroredLight(1.0 - covered) * result.a) - shown;
#endif
}
`;
