package convolution

import "github.com/go-acap/acap/kernel"

// ImagesAsRows returns c as a convolution of one image whose rows are the images of c: a convolution whose filter is as
// large as the image, as the gradient of a 1×1 filter has, makes one pixel of each image, and a register tile needs
// several. The rows of a filter become one row, so that image and filter have to lie without gaps between rows. The other
// result is false for another convolution, and for an epilogue that reads indices.
func ImagesAsRows(c *kernel.Convolution) (*kernel.Convolution, bool) {
	row, column := c.Dilation[0]*c.X.Strides[2], c.Dilation[1]*c.X.Strides[3]
	flat := c.R == 1 || row == c.S*column && c.Filter.Strides[2] == c.S*c.Filter.Strides[3]
	if c.N < 2 || c.P != 1 || c.Q != 1 || c.C == 0 || !flat || HasBorder(c) || c.Epilogue.Body.Has(kernel.Index) {
		return nil, false
	}
	rows := *c
	rows.N, rows.H, rows.W, rows.P = 1, c.N, c.R*c.S, c.N
	rows.R, rows.S = 1, c.R*c.S
	rows.Stride, rows.Dilation, rows.Pad = [2]int{1, 1}, [2]int{1, 1}, [2]int{}
	rows.X.Offset -= c.Pad[0]*c.X.Strides[2] + c.Pad[1]*c.X.Strides[3]
	rows.X.Strides = [4]int{0, c.X.Strides[1], c.X.Strides[0], column}
	rows.Filter.Strides[2] = 0
	rows.Epilogue.Access = nil
	for _, a := range c.Epilogue.Access {
		a.Outer = []int{0, a.Outer[1], a.Outer[0], 0}
		rows.Epilogue.Access = append(rows.Epilogue.Access, a)
	}
	return &rows, true
}
