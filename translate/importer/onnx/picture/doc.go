// SPDX-License-Identifier: Apache-2.0

// Package picture decodes files of pictures as the operator ImageDecoder of ONNX asks for:
// BMP, JPEG, PNG, TIFF, WebP and the portable formats PBM, PGM and PPM.
package picture
