// SPDX-License-Identifier: MIT
// Materials, textures and samplers. Textures have the numbers of the images: those of materials,
// then pages of light or baked ones.
#include "export/gltf.h"
#include "mesh/shade.h"

#define LINEAR 9729u
#define MIPMAPPED 9987u
#define CLAMP 33071u
#define REPEAT 10497u

/// Samplers, by number.
typedef enum sampler {
    SAMPLER_REPEAT,
    SAMPLER_CLAMP,
    SAMPLER_PAGE,
    SAMPLERS,
} sampler;

static void write_uint(bsp_json *json, const char *key, uint32_t value) {
    bsp_json_key(json, key);
    bsp_json_uint(json, value);
}

static void write_base(const bspi_gltf *gltf, const bspi_finish *finish) {
    bsp_json *json = gltf->json;
    const bspi_png *image = bspi_finish_image(gltf->content, finish);
    const bspi_paint *paint = bspi_finish_paint(gltf->content, finish);
    bool baked = bspi_finish_baked(gltf->content, finish);
    float factor[4] = {1, 1, 1, (float)finish->opacity / 255};
    bsp_json_key(json, "pbrMetallicRoughness");
    bsp_json_object(json);
    if (image != NULL || baked) {
        bsp_json_key(json, "baseColorTexture");
        bsp_json_object(json);
        write_uint(json, "index", baked ? gltf->first_page + finish->page : image->number);
        bsp_json_object_end(json);
    } else if (finish->color != 0) {
        for (int i = 0; i < 3; i++) { // base colours are linear light, those of keys are not
            factor[i] = (float)bspi_linear_of((finish->color >> (24 - 8 * i) & 0xFF) / 255.0);
        }
    } else if (paint != NULL) {
        for (int i = 0; i < 3; i++) {
            factor[i] = paint->color[i];
        }
    }
    for (int i = 0; finish->tint != BSPI_NO_TINT && i < 3; i++) {
        factor[i] *= (float)bspi_linear_of((finish->tint >> (16 - 8 * i) & 0xFF) / 255.0);
    }
    if (factor[0] != 1 || factor[1] != 1 || factor[2] != 1 || factor[3] != 1) {
        bsp_json_floats(json, "baseColorFactor", factor, 4);
    }
    write_uint(json, "metallicFactor", 0);
    bsp_json_object_end(json);
}

static void write_alpha(const bspi_gltf *gltf, const bspi_finish *finish) {
    bsp_json *json = gltf->json;
    const bspi_paint *paint = bspi_finish_paint(gltf->content, finish);
    float cut;
    bsp_alpha alpha = bspi_finish_alpha(gltf->content, finish, &cut);
    if (alpha != BSP_ALPHA_OPAQUE) {
        bsp_json_key(json, "alphaMode");
        bsp_json_string(json, alpha == BSP_ALPHA_TEST ? "MASK" : "BLEND");
    }
    if (alpha == BSP_ALPHA_TEST && cut != 0.5F) {
        bsp_json_key(json, "alphaCutoff");
        bsp_json_float(json, cut > 0 ? cut : 0);
    }
    bool portal = finish->material == BSP_NONE && finish->color == BSPI_PORTAL_COLOR;
    if (portal || (paint != NULL && paint->is.two_sided)) {
        bsp_json_key(json, "doubleSided");
        bsp_json_bool(json, true);
    }
}

// Writes a texture that is mixed in, by a factor of the vertices.
static void write_mixed(bsp_json *json, const char *key, const bspi_png *image,
                        const char *factor) {
    if (image == NULL) {
        return;
    }
    bsp_json_key(json, key);
    bsp_json_object(json);
    write_uint(json, "index", image->number);
    write_uint(json, "texCoord", 0);
    bsp_json_key(json, "factor");
    bsp_json_string(json, factor);
    bsp_json_object_end(json);
}

static void write_extras(const bspi_gltf *gltf, const bspi_finish *finish) {
    bsp_json *json = gltf->json;
    const bspi_paint *paint = bspi_finish_paint(gltf->content, finish);
    bool paged = finish->page != BSP_NONE && !bspi_finish_baked(gltf->content, finish);
    bool mixed =
        paint != NULL && (paint->is.alpha == BSP_ALPHA_ADD || paint->is.alpha == BSP_ALPHA_FILTER);
    const bspi_png *second = bspi_finish_second(gltf->content, finish);
    bool added = (finish->look & ~BSPI_LOOK_UNLIT) == BSP_LOOK_ADD ||
                 (mixed && paint->is.alpha == BSP_ALPHA_ADD);
    if (!paged && !mixed && !added && second == NULL) {
        return;
    }
    bsp_json_key(json, "extras");
    bsp_json_object(json);
    if (paged) {
        bsp_json_key(json, "lightmap");
        bsp_json_object(json);
        write_uint(json, "index", gltf->first_page + finish->page);
        write_uint(json, "texCoord", 1);
        bsp_json_object_end(json);
    }
    write_mixed(json, "baseColorTexture2", second, "COLOR_0.a");
    write_mixed(json, "baseColorTexture3", bspi_finish_layer(gltf->content, finish, 0),
                "COLOR_1.r");
    write_mixed(json, "baseColorTexture4", bspi_finish_layer(gltf->content, finish, 1),
                "COLOR_1.g");
    if (mixed || added) {
        bsp_json_key(json, "blend");
        bsp_json_string(json, added ? "add" : "multiply");
    }
    bsp_json_object_end(json);
}

static void write_material(const bspi_gltf *gltf, const bspi_finish *finish) {
    bsp_json *json = gltf->json;
    bsp_json_object(json);
    bsp_json_key(json, "name");
    bool solid = finish->material == BSP_NONE && finish->color == BSPI_SOLID_COLOR;
    bool portal = finish->material == BSP_NONE && finish->color == BSPI_PORTAL_COLOR;
    bool area = finish->material == BSP_NONE && finish->color == BSPI_AREA_COLOR;
    bsp_json_text(json, solid    ? bsp_text_of("collision")
                        : portal ? bsp_text_of("portals")
                        : area   ? bsp_text_of("nav_areas")
                                 : bspi_finish_name(gltf->content, finish));
    write_base(gltf, finish);
    const bspi_png *normal = bspi_finish_normal(gltf->content, finish);
    if (normal != NULL) {
        bsp_json_key(json, "normalTexture");
        bsp_json_object(json);
        write_uint(json, "index", normal->number);
        bsp_json_object_end(json);
    }
    const bspi_png *glow = bspi_finish_glow(gltf->content, finish);
    if (glow != NULL) {
        static const float whole[3] = {1, 1, 1};
        bsp_json_key(json, "emissiveTexture");
        bsp_json_object(json);
        write_uint(json, "index", glow->number);
        bsp_json_object_end(json);
        bsp_json_floats(json, "emissiveFactor", whole, 3);
    }
    write_alpha(gltf, finish);
    if (bspi_finish_unlit(gltf->content, finish)) {
        bsp_json_key(json, "extensions");
        bsp_json_object(json);
        bsp_json_key(json, "KHR_materials_unlit");
        bsp_json_object(json);
        bsp_json_object_end(json);
        bsp_json_object_end(json);
    }
    write_extras(gltf, finish);
    bsp_json_object_end(json);
}

static void write_texture(bsp_json *json, sampler how, uint32_t source) {
    bsp_json_object(json);
    write_uint(json, "sampler", how);
    write_uint(json, "source", source);
    bsp_json_object_end(json);
}

static void write_sampler(bsp_json *json, uint32_t smaller, uint32_t wrap) {
    bsp_json_object(json);
    write_uint(json, "magFilter", LINEAR);
    write_uint(json, "minFilter", smaller);
    write_uint(json, "wrapS", wrap);
    write_uint(json, "wrapT", wrap);
    bsp_json_object_end(json);
}

static void write_textures(const bspi_gltf *gltf) {
    const bspi_content *content = gltf->content;
    bsp_json *json = gltf->json;
    bsp_json_key(json, "textures");
    bsp_json_array(json);
    for (uint32_t i = 0; i < content->paints.num_images; i++) {
        const bspi_png *image = &content->paints.images[i];
        if (image->number != BSP_NONE) {
            write_texture(json, image->clamp ? SAMPLER_CLAMP : SAMPLER_REPEAT, image->number);
        }
    }
    for (uint32_t i = 0; i < content->num_pages; i++) {
        write_texture(json, SAMPLER_PAGE, gltf->first_page + i);
    }
    bsp_json_array_end(json);
    bsp_json_key(json, "samplers");
    bsp_json_array(json);
    write_sampler(json, MIPMAPPED, REPEAT);
    write_sampler(json, MIPMAPPED, CLAMP);
    write_sampler(json, LINEAR, CLAMP);
    bsp_json_array_end(json);
}

void bspi_gltf_materials(const bspi_gltf *gltf) {
    const bspi_content *content = gltf->content;
    bsp_json *json = gltf->json;
    if (content->num_finishes != 0) {
        bsp_json_key(json, "materials");
        bsp_json_array(json);
        for (uint32_t i = 0; i < content->num_finishes; i++) {
            write_material(gltf, &content->finishes[i]);
        }
        bsp_json_array_end(json);
    }
    if (content->num_images + content->num_pages != 0) {
        write_textures(gltf);
    }
}
