package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"maps"
)

// show returns what a value shows, by media type, as gophernotes finds it out.
func show(v any) map[string]any {
	data := map[string]any{}
	switch v := v.(type) {
	case interface{ SimpleRender() map[string]any }:
		maps.Copy(data, v.SimpleRender())
	case interface{ HTML() string }:
		data["text/html"] = v.HTML()
	case interface{ SVG() string }:
		data["image/svg+xml"] = v.SVG()
	case interface{ Markdown() string }:
		data["text/markdown"] = v.Markdown()
	case interface{ PNG() []byte }:
		data["image/png"] = v.PNG()
	case image.Image:
		var b bytes.Buffer
		if err := png.Encode(&b, v); err == nil {
			data["image/png"] = b.Bytes()
		}
		data["text/plain"] = fmt.Sprintf("a picture of %v", v.Bounds().Size())
	}
	if data["text/plain"] == nil {
		data["text/plain"] = fmt.Sprint(v)
	}
	for kind, value := range data {
		if b, ok := value.([]byte); ok {
			data[kind] = base64.StdEncoding.EncodeToString(b)
		}
	}
	return data
}
