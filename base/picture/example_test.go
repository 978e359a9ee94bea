package picture_test

import (
	"fmt"

	"github.com/go-acap/acap/base/picture"
)

// A portable pixmap of two pixels, one red and one white, as colours and as grey values.
func ExampleDecode() {
	p, err := picture.Decode([]byte("P3\n2 1\n255\n255 0 0  255 255 255\n"))
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Height, p.Width, p.RGB, p.Gray())
	// Output: 1 2 [255 0 0 255 255 255] [76 255]
}
