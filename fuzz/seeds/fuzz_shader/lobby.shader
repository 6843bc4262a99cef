// SPDX-License-Identifier: MIT
// Shaders of the sample map "lobby". What has no entry here is drawn as its plain texture.

textures/lobby/water1
{
	qer_editorimage textures/lobby/water1.tga
	qer_trans 0.5
	surfaceparm trans
	surfaceparm nonsolid
	surfaceparm water
	q3map_globaltexture
	cull disable
	tessSize 64
	deformVertexes wave 100 sin 1 1 0 0.25
	{
		map textures/lobby/water1.tga
		blendFunc blend
		tcMod scroll 0.02 0.03
		rgbGen identity
	}
	{
		map $lightmap
		blendFunc filter
	}
}

textures/lobby/sky1
{
	qer_editorimage textures/lobby/sky1.tga
	surfaceparm sky
	surfaceparm noimpact
	surfaceparm nolightmap
	q3map_sunExt 1 0.97 0.88 120 60 70 2 4
	q3map_skyLight 40 3
	skyparms - 384 -
	{
		map textures/lobby/sky1.tga
		tcMod scale 2 2
		tcMod scroll 0.01 0.01
	}
}

textures/lobby/fog1
{
	qer_editorimage textures/lobby/fog1.tga
	qer_trans 0.4
	surfaceparm trans
	surfaceparm nonsolid
	surfaceparm fog
	surfaceparm nolightmap
	fogparms ( 0.45 0.55 0.5 ) 96
}

textures/lobby/grate1
{
	qer_editorimage textures/lobby/grate1.tga
	surfaceparm trans
	surfaceparm alphashadow
	surfaceparm nomarks
	surfaceparm metalsteps
	cull disable
	{
		map textures/lobby/grate1.tga
		alphaFunc GE128
		depthWrite
		rgbGen identity
	}
	{
		map $lightmap
		blendFunc filter
		depthFunc equal
		rgbGen identity
	}
}

textures/lobby/glass1
{
	qer_editorimage textures/lobby/glass1.tga
	qer_trans 0.5
	surfaceparm trans
	cull disable
	{
		map textures/lobby/glass1.tga
		blendFunc blend
		rgbGen vertex
	}
}

textures/lobby/lamp0
{
	qer_editorimage textures/lobby/lamp0.tga
	surfaceparm nomarks
	q3map_surfacelight 1500
	q3map_lightRGB 1 0.94 0.82
	{
		map $lightmap
		rgbGen identity
	}
	{
		map textures/lobby/lamp0.tga
		blendFunc filter
	}
	{
		animMap 5 textures/lobby/lamp0.tga textures/lobby/lamp1.tga
		blendFunc add
		rgbGen wave sin 0.4 0.1 0 0.5
	}
}
