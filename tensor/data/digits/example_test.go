package digits_test

import (
	"fmt"

	"github.com/go-acap/acap/tensor/data/digits"
)

func ExamplePicture() {
	picture, err := digits.Picture(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for y := 6; y < 24; y += 3 {
		fmt.Print("|")
		for x := 8; x < 20; x++ {
			ink, _, _, _ := picture.At(x, y).RGBA()
			fmt.Print(string(" .:*#"[ink/0x3334]))
		}
		fmt.Println("|")
	}
	// Output:
	// |   .:::     |
	// |    .**     |
	// |    *#.     |
	// |   .#*      |
	// |   :#:      |
	// |########.   |
}
