package picture

import "image"

// convertJPEG makes colours from planes; the planes Cb and Cr may be half as wide and high as Y. They are widened as
// the operator's specification says: an element is three quarters of the next one and a quarter of the one after it,
// halves go down and up in turn.
func (p *Picture) convertJPEG(planes *image.YCbCr) {
	cb, cr := p.widened(planes, planes.Cb), p.widened(planes, planes.Cr)
	for y := range p.Height {
		for x := range p.Width {
			// JFIF, in fixed point with 16 bits behind it, rounded.
			const half = 1 << 15
			i := y*p.Width + x
			light, u, v := int(planes.Y[y*planes.YStride+x]), cb[i]-128, cr[i]-128
			p.RGB[3*i] = clamp(light + (91881*v+half)>>16)
			p.RGB[3*i+1] = clamp(light + (-22554*u-46802*v+half)>>16)
			p.RGB[3*i+2] = clamp(light + (116130*u+half)>>16)
		}
	}
}

// widened gives a plane of colour the size of the picture.
func (p *Picture) widened(planes *image.YCbCr, plane []byte) []int {
	out := make([]int, p.Height*p.Width)
	scaleX, scaleY := 1, 1
	switch planes.SubsampleRatio {
	case image.YCbCrSubsampleRatio422:
		scaleX = 2
	case image.YCbCrSubsampleRatio420:
		scaleX, scaleY = 2, 2
	case image.YCbCrSubsampleRatio440:
		scaleY = 2
	case image.YCbCrSubsampleRatio411:
		scaleX = 4
	case image.YCbCrSubsampleRatio410:
		scaleX, scaleY = 4, 2
	}
	width, height := (p.Width+scaleX-1)/scaleX, (p.Height+scaleY-1)/scaleY
	smooth := scaleX <= 2 && (scaleX == 1 || width > 2)
	at := func(y, x int) int { return int(plane[min(max(y, 0), height-1)*planes.CStride+x]) }
	for y := range p.Height {
		for x := range p.Width {
			row, column := y/scaleY, x/scaleX
			if !smooth {
				out[y*p.Width+x] = at(row, column)
				continue
			}
			// column sums have one quarter of the row above or below
			other, weight, bias := row, 1, 0
			if scaleY == 2 {
				other, weight, bias = row-1+2*(y%2), 4, 1+y%2
			}
			sum := func(x int) int {
				if scaleY == 1 {
					return at(row, x)
				}
				return 3*at(row, x) + at(other, x)
			}
			beside := column - 1 + 2*(x%2)
			switch {
			case scaleX == 1:
				out[y*p.Width+x] = (sum(column) + bias) / weight
			case scaleY == 2: // both
				bias = 8 - x%2
				if beside < 0 || beside >= width {
					beside = column
				}
				out[y*p.Width+x] = (3*sum(column) + sum(beside) + bias) / 16
			case beside < 0 || beside >= width:
				out[y*p.Width+x] = sum(column)
			default:
				out[y*p.Width+x] = (3*sum(column) + sum(beside) + 1 + x%2) / 4
			}
		}
	}
	return out
}
