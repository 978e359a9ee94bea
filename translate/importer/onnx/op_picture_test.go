package onnx

import "testing"

// TestImageDecoder: the pixels of a portable picture of two pixels, and none of what is no picture.
func TestImageDecoder(t *testing.T) {
	const file = "x = u8 17: 80 54 32 50 32 49 32 50 53 53 10 255 0 0 4 5 6\n" // P6 2 1 255
	checkEach(t, "",
		file+"y = ImageDecoder(x)\nwant y = u8 1x2x3: 255 0 0 4 5 6",
		file+"y = ImageDecoder(x) pixel_format=\"BGR\"\nwant y = u8 1x2x3: 0 0 255 6 5 4",
		file+"y = ImageDecoder(x) pixel_format=\"Grayscale\"\nwant y = u8 1x2x1: 76 5",
		"x = u8 2: 80 54\ny = ImageDecoder(x)\nwant y = u8 0x0x3:",
		"x = u8 2: 80 54\ny = ImageDecoder(x) pixel_format=\"Grayscale\"\nwant y = u8 0x0x1:",
	)
	refuse(t, file+"y = ImageDecoder(x) pixel_format=\"CMYK\"", `pixel_format "CMYK" is not supported`)
	refuse(t, "x = u8 12: 0 0 0 12 106 80 32 32 13 10 135 10\ny = ImageDecoder(x)", "JPEG 2000 is not decoded: convert the picture to PNG")
	refuse(t, "x = u8 4: 255 79 255 81\ny = ImageDecoder(x)", "JPEG 2000 is not decoded: convert the picture to PNG")
	refuse(t, "x = i8 1: 1\ny = ImageDecoder(x)", "takes a vector of bytes, not i8 in 1 dimensions")
}
