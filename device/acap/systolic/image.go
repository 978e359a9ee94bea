package systolic

import "fmt"

// Image is the image from which M × K of a product is made where the product is a convolution: a row of M × K is a
// window, and neighbouring windows share elements, which are fetched for each window but need not wait where a
// scratchpad holds one of the copies. Elements outside of the image are zeros that nobody fetches.
type Image struct {
	Number, Height, Width, Channels int // images, and their sizes
	OutHeight, OutWidth             int // windows of an image
	FilterHeight, FilterWidth       int
	StrideH, StrideW                int
	DilationH, DilationW            int
	Top, Left                       int // rows and columns of zeros before the image
}

// mostOutside bounds M × K of images with windows that reach beyond them.
const mostOutside = 1 << 27

// check returns an error for an image whose windows are not the product's M × K.
func (g *Image) check(m, k int) error {
	for _, v := range []int{g.Number, g.Height, g.Width, g.Channels, g.OutHeight, g.OutWidth, g.FilterHeight, g.FilterWidth, g.StrideH, g.StrideW, g.DilationH, g.DilationW} {
		if v < 1 || v > 1<<24 {
			return fmt.Errorf("systolic: %+v: want numbers from 1 to %d", *g, 1<<24)
		}
	}
	if n := g.Number * g.OutHeight * g.OutWidth; n != m {
		return fmt.Errorf("systolic: %+v has %d windows, and the product %d rows", *g, n, m)
	}
	if n := g.FilterHeight * g.FilterWidth * g.Channels; n != k {
		return fmt.Errorf("systolic: a window of %+v has %d elements, and a row of the product %d", *g, n, k)
	}
	return nil
}

// pixel returns the row and column of an element of a window in its image, and reports whether the image has it.
func (g *Image) pixel(m, k int) (y, x int, inside bool) {
	window, tap := m%(g.OutHeight*g.OutWidth), k/g.Channels
	y = window/g.OutWidth*g.StrideH + tap/g.FilterWidth*g.DilationH - g.Top
	x = window%g.OutWidth*g.StrideW + tap%g.FilterWidth*g.DilationW - g.Left
	return y, x, y >= 0 && y < g.Height && x >= 0 && x < g.Width
}

// any reports whether one of the elements of windows that are the same element of the image as (m, k) is in a set that
// is held.
func (g *Image) any(m, k int, held func(m, k int) bool) bool {
	y, x, _ := g.pixel(m, k)
	first, channel := m-m%(g.OutHeight*g.OutWidth), k%g.Channels
	for r := range g.FilterHeight {
		down := y + g.Top - r*g.DilationH
		if down < 0 || down%g.StrideH != 0 || down/g.StrideH >= g.OutHeight {
			continue
		}
		for s := range g.FilterWidth {
			right := x + g.Left - s*g.DilationW
			if right < 0 || right%g.StrideW != 0 || right/g.StrideW >= g.OutWidth {
				continue
			}
			if held(first+down/g.StrideH*g.OutWidth+right/g.StrideW, (r*g.FilterWidth+s)*g.Channels+channel) {
				return true
			}
		}
	}
	return false
}

// windows is a stream of the M × K of an image.
type windows struct {
	*Image
	*stream
	transposed bool    // the stream's elements are (k, m)
	kept       []int32 // words inside of the image before each place; nil if all are
}

// windows returns the stream of M × K, and leaves only words inside of the image in it.
func (g *Image) windows(s *stream, m, k int, transposed bool) (*windows, error) {
	w := &windows{Image: g, stream: s, transposed: transposed}
	_, _, first := g.pixel(0, 0)
	_, _, last := g.pixel(g.OutHeight*g.OutWidth-1, k-1)
	if first && last {
		return w, nil
	}
	if s.words > mostOutside {
		return nil, fmt.Errorf("systolic: %+v has windows that reach beyond it, and %d words in all windows, more than %d", *g, s.words, mostOutside)
	}
	w.kept = make([]int32, s.words+1)
	for i := range m {
		for j := range k {
			if _, _, inside := g.pixel(i, j); inside {
				w.kept[w.raw(i, j)+1] = 1
			}
		}
	}
	for i := range s.words {
		w.kept[i+1] += w.kept[i]
	}
	s.words = int64(w.kept[s.words])
	return w, nil
}

// raw is the place of an element in the stream with all words.
func (w *windows) raw(m, k int) int64 {
	if w.transposed {
		m, k = k, m
	}
	return w.place(m, k)
}

// inside is how many words inside of the image are before a place of the stream with all words.
func (w *windows) inside(place int64) int64 {
	if w.kept == nil {
		return place
	}
	return int64(w.kept[place])
}

// element is the element of a line's word.
func (w *windows) element(fc, fr, l, i int) (m, k int) {
	m, k = w.at(fc, fr, l, i)
	if w.transposed {
		return k, m
	}
	return m, k
}
