package commandline_test

import (
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/cmd/acap/commandline"
)

func ExampleParsePicture() {
	fmt.Println(commandline.ParsePicture("resize=256,crop=224x192,channels=3,mean=0.5,std=0.2:0.25:0.5"))
	_, err := commandline.ParsePicture("resize=big")
	fmt.Println(err)
	// Output:
	// {[256] [224 192] 3 [0.5] [0.2 0.25 0.5]} <nil>
	// resize is "big": want pixels, such as 224 or 480x640
}

// TestPicture: pictures among the inputs are read by -picture, which is refused without one.
func TestPicture(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.png")
	file, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, png.Encode(file, image.NewGray(image.Rect(0, 0, 40, 30))))
	require.NoError(t, file.Close())
	read := func(args ...string) (shape []int, err error) {
		var inputs commandline.Inputs
		f := flag.NewFlagSet("acap run", flag.ContinueOnError)
		f.SetOutput(io.Discard)
		inputs.Flags(f, "a `file`", "")
		if _, err := commandline.Parse(f, args); err != nil {
			return nil, err
		}
		b, err := inputs.Data("")
		if err != nil {
			return nil, err
		}
		return b[0].Shape, nil
	}
	for want, args := range map[string][]string{
		"[1 1 30 40]": {"-input", path},
		"[1 3 10 8]":  {"-input", path, "-picture", "resize=10,crop=10x8,channels=3"},
	} {
		shape, err := read(args...)
		require.NoError(t, err)
		require.Equal(t, want, fmt.Sprint(shape))
	}
	_, err = read("-picture", "crop=4")
	require.ErrorContains(t, err, "-picture is for a picture: name one by -input")
	_, err = read("-input", path, "-picture", "crop=31")
	require.ErrorContains(t, err, "x.png: a part of 31 x 31 pixels is larger")
	_, err = read("-input", path, "-picture", "crop")
	require.ErrorIs(t, err, commandline.ErrUsage)
	for text, want := range map[string]string{"": `no setting ""`, "size=3": `no setting "size"`, "crop=1x2x3": "want pixels", "crop=0": "want pixels",
		"channels=2": "want 1 or 3", "mean=a": "want a number", "mean=1,mean=2": "mean comes twice"} {
		p, err := commandline.ParsePicture(text)
		require.ErrorContains(t, err, want, "%v", p)
	}
}
