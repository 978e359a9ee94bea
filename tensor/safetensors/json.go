package safetensors

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// decoder reads JSON of a known form piece by piece: nothing of another form is kept or nested.
type decoder struct {
	json  *json.Decoder
	first int64 // where the elements begin
}

func (d *decoder) token() (json.Token, error) {
	t, err := d.json.Token()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("it ends early")
	}
	return t, err
}

func (d *decoder) want(delim json.Delim) error {
	t, err := d.token()
	if err == nil && t != delim {
		err = fmt.Errorf("%v stands where %v is needed", t, delim)
	}
	return err
}

// object calls entry for each key of an object; it reads the value. A key must not come twice.
func (d *decoder) object(entry func(key string) error) error {
	if err := d.want('{'); err != nil {
		return err
	}
	var few [4]string // keys of an object that has no more of them, without memory
	var seen map[string]bool
	for n := 0; d.json.More(); n++ {
		key, err := d.text()
		if err != nil {
			return err
		}
		if slices.Contains(few[:min(n, len(few))], key) || seen[key] {
			return fmt.Errorf("the key %q comes twice", key)
		}
		if n < len(few) {
			few[n] = key
		} else {
			if seen == nil {
				seen = map[string]bool{}
			}
			seen[key] = true
		}
		if err := entry(key); err != nil {
			return err
		}
	}
	return d.want('}')
}

func (d *decoder) text() (string, error) {
	t, err := d.token()
	if err != nil {
		return "", err
	}
	s, ok := t.(string)
	if !ok {
		return "", fmt.Errorf("%v stands where a text is needed", t)
	}
	return s, nil
}

// numbers reads a list of at most most numbers of bytes or elements.
func (d *decoder) numbers(most int) ([]int64, error) {
	if err := d.want('['); err != nil {
		return nil, err
	}
	d.json.UseNumber()
	list := []int64{}
	for d.json.More() {
		t, err := d.token()
		if err != nil {
			return nil, err
		}
		text, _ := t.(json.Number)
		n, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%v is no extent or offset", t)
		}
		if list = append(list, n); len(list) > most {
			return nil, fmt.Errorf("a list of more than %d numbers", most)
		}
	}
	return list, d.want(']')
}
