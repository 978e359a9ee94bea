package commandline

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-acap/acap/tensor/data"
)

// pictureUsage is the usage of -picture.
const pictureUsage = "how a picture becomes an input, `settings` separated by commas: resize=256 (the shorter side, or HxW), crop=224 (of the middle, or HxW), " +
	"channels=1 or 3, mean=0.485:0.456:0.406 and std=0.229:0.224:0.225 (of values from 0 to 1)"

// ParsePicture reads the settings of -picture. A setting that is not known, comes twice or has another value is an
// error.
func ParsePicture(text string) (p data.Picture, err error) {
	seen := map[string]bool{}
	for setting := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(setting, "=")
		if seen[name] {
			return p, fmt.Errorf("%s comes twice", name)
		}
		seen[name] = true
		switch name {
		case "resize":
			p.Resize, err = pixels(value)
		case "crop":
			p.Crop, err = pixels(value)
		case "channels":
			p.Channels = map[string]int{"1": 1, "3": 3}[value]
			if p.Channels == 0 {
				err = fmt.Errorf("want 1 or 3")
			}
		case "mean":
			p.Mean, err = perChannel(value)
		case "std":
			p.Std, err = perChannel(value)
		default:
			return p, fmt.Errorf("there is no setting %q: there are resize, crop, channels, mean and std", name)
		}
		if err != nil {
			return p, fmt.Errorf("%s is %q: %w", name, value, err)
		}
	}
	return p, nil
}

// pixels reads one or two numbers, as 224 and 480x640.
func pixels(text string) (size []int, err error) {
	for word := range strings.SplitSeq(text, "x") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || len(size) == 2 {
			return nil, fmt.Errorf("want pixels, such as 224 or 480x640")
		}
		size = append(size, n)
	}
	return size, nil
}

// perChannel reads one or three numbers, as 0.5 and 0.485:0.456:0.406.
func perChannel(text string) (list []float64, err error) {
	for word := range strings.SplitSeq(text, ":") {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("want a number, or one for each channel with colons between them")
		}
		list = append(list, v)
	}
	return list, nil
}
