// SPDX-License-Identifier: Apache-2.0

// Package rowpairs makes vector programs of convolutions with high filters over few channels and wide rows. A program
// computes two rows of the result at a time by Winograd's F(2, 3) over the filter rows (Lavin and Gray, Fast Algorithms
// for Convolutional Neural Networks, 2016): with a vertical stride of v, every v-th filter row meets every v-th input
// row with stride 1, and three such filter rows take 4 products for two results instead of 6. Rows beyond a multiple of
// three are multiplied directly. So 7 filter rows with stride 2 take 10 products instead of 14.
//
// A unit is some pairs of rows. It transforms the rows that a pair needs into scratch memory, and splits their columns
// by the horizontal stride on the way, so that pixels are in the lanes.
//
// An infinite input makes the pair of results that reads it NaN.
package rowpairs
