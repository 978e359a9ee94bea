package drawing

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/f64"
	"golang.org/x/image/math/fixed"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor/data"
)

// size is the height and width of pictures, in pixels.
const size = 28

// Digits is a dataset of digits that are drawn when they are asked for: example i depends on
// the seed and i alone. It is a picture, float32 [1 28 28], and its digit, int64.
type Digits struct {
	seed   uint64
	n      int
	glyphs [][10]*image.Alpha // of each font
}

// New returns n digits. The error is always nil: the fonts are part of the program.
func New(seed uint64, n int) (*Digits, error) {
	d := &Digits{seed: seed, n: n}
	for _, ttf := range [][]byte{goregular.TTF, gobold.TTF, goitalic.TTF, gomono.TTF, gomonobold.TTF} {
		parsed, err := opentype.Parse(ttf)
		if err != nil {
			return nil, err
		}
		face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 40, DPI: 72})
		if err != nil {
			return nil, err
		}
		var glyphs [10]*image.Alpha
		for digit := range glyphs {
			glyphs[digit] = image.NewAlpha(image.Rect(0, 0, 48, 48))
			pen := font.Drawer{Dst: glyphs[digit], Src: image.Opaque, Face: face, Dot: fixed.P(12, 38)}
			pen.DrawString(fmt.Sprint(digit))
		}
		d.glyphs = append(d.glyphs, glyphs)
	}
	return d, nil
}

// Len implements [data.Dataset].
func (d *Digits) Len() int { return d.n }

// Example implements [data.Dataset].
func (d *Digits) Example(i int) (data.Example, error) {
	random := rand.New(rand.NewPCG(d.seed, uint64(i)))
	digit := random.IntN(10)
	glyph := d.glyphs[random.IntN(len(d.glyphs))][digit]
	angle, scale := 0.3*(random.Float64()-0.5)*2, 0.45+0.2*random.Float64()
	sin, cos := scale*math.Sin(angle), scale*math.Cos(angle)
	// Turned and scaled around the middle of the glyph, (24, 24), which lies near (14, 14).
	x, y := size/2+4*(random.Float64()-0.5), size/2+4*(random.Float64()-0.5)
	img := image.NewAlpha(image.Rect(0, 0, size, size))
	draw.ApproxBiLinear.Transform(img, f64.Aff3{cos, -sin, x - 24*cos + 24*sin, sin, cos, y - 24*sin - 24*cos},
		glyph, glyph.Bounds(), draw.Src, nil)
	b := buf.New(dtype.F32, []int{1, size, size})
	for k, v := range img.Pix {
		noise := 0.15 * random.NormFloat64()
		buf.Slice[float32](b)[k] = float32(min(max(float64(v)/255+noise, 0), 1))
	}
	return data.Example{b, buf.From([]int64{int64(digit)})}, nil
}
