a/b { cull back /* x */ { clampmap $whiteimage
 alphaFunc GT0
 tcGen environment } { implicitMask -
 } } sky{
skyparms env/x 512 -
fogparms (1 1 1) 9
}
