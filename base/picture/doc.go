// SPDX-License-Identifier: Apache-2.0

// Package picture decodes files of pictures, BMP, GIF, JPEG, PNG, TIFF, WebP and the portable formats PBM, PGM and PPM,
// to the bytes that libjpeg and libwebp give, as PyTorch's and ONNX's readers have them.
package picture
