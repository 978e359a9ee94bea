// SPDX-License-Identifier: Apache-2.0

// Package planes makes vector programs of convolutions with pixels in the lanes: depthwise ones, in which each output
// channel reads one input channel, and those with few output channels.
//
// The rows of a result are cut into strips of a vector's number of columns, and strips into tiles of a few rows. A row
// of the input is loaded once for each column of the filter, and multiplied for all rows of the tile that need it, in
// all channels of a unit. The filter is in registers where they suffice. Tiles whose rows all lie in the image are a
// loop, and so are strips whose columns all do. A column outside is 0, so that infinite filters need another way
// ([github.com/go-acap/acap/kernel/convolution.Guard]).
package planes
