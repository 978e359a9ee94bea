// SPDX-License-Identifier: Apache-2.0

// Package panel makes vector programs that copy matrices to where tiles of a product read them.
//
// A step of a product multiplies cells: one element of the depth or several neighbours (type [Cells]). Steps of columns
// stand one behind the other in panels ([Panels]), cells of rows side by side ([Rows]). A matrix whose lines run the
// other way is transposed ([Transposed]), and one of any strides is copied in whichever way there is ([Strided]).
package panel
