package picture

import "image"

// convertWebP makes colours from planes; the planes U and V are half as wide and high as Y. The nearest element counts
// 9 of 16 parts, those beside and above or below it 3, and the one between these 1. Light is from 16 to 235.
func (p *Picture) convertWebP(planes *image.YCbCr) {
	width, height := (p.Width+1)/2, (p.Height+1)/2
	for y := range p.Height {
		for x := range p.Width {
			row, column := y/2, x/2
			above, beside := min(max(row-1+2*(y%2), 0), height-1), min(max(column-1+2*(x%2), 0), width-1)
			colour := func(plane []byte) int {
				at := func(y, x int) int { return int(plane[y*planes.CStride+x]) }
				near, far := at(row, column), at(above, beside)
				if beside == column {
					return (3*near + far + 2) / 4
				}
				sideways, upright := at(row, beside), at(above, column)
				mean := (near + far + 3*(sideways+upright) + 8) / 8
				return (mean + near) / 2
			}
			light := int(planes.Y[y*planes.YStride+x]) * 19077 >> 8
			u, v := colour(planes.Cb), colour(planes.Cr)
			i := 3 * (y*p.Width + x)
			p.RGB[i] = clamp((light + v*26149>>8 - 14234) >> 6)
			p.RGB[i+1] = clamp((light - u*6419>>8 - v*13320>>8 + 8708) >> 6)
			p.RGB[i+2] = clamp((light + u*33050>>8 - 17685) >> 6)
		}
	}
}
