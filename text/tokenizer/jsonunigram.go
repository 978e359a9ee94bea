package tokenizer

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/jsontext"
)

func (t *Tokenizer) readUnigram(data json.RawMessage, unknown *int32, bytes bool) (*vocabulary, error) {
	list, ok := scannedScores(data)
	if !ok {
		list = nil
		if err := jsontext.Part(data, &list); err != nil {
			return nil, fmt.Errorf("vocab: %w", err)
		}
	}
	texts, scores := make([]string, len(list)), make([]float64, len(list))
	for i, s := range list {
		texts[i], scores[i] = s.text, s.score
	}
	id := int32(absent)
	if unknown != nil {
		if id = *unknown; id < 0 || int(id) >= len(texts) {
			return nil, fmt.Errorf("unk_id is %d, there are %d tokens", id, len(texts))
		}
	}
	v := newVocabulary(texts)
	for i, text := range texts { // the last of equals counts
		v.ids[text] = int32(i)
	}
	delete(v.ids, "")
	u := newUnigram(v, scores, id)
	if bytes {
		table, _ := u.bytesOf()
		u.bytes = &table
	}
	t.model = u
	return v, nil
}

// scoredText is ["text", score].
type scoredText struct {
	text  string
	score float64
}

// UnmarshalJSON reads the pair.
func (s *scoredText) UnmarshalJSON(data []byte) error {
	var text json.Number
	pair := []any{&s.text, &text}
	if err := jsontext.Part(data, &pair); err != nil {
		return err
	}
	if len(pair) != 2 {
		return fmt.Errorf("%s is not a text and a score", data)
	}
	return jsontext.Part([]byte(text), (*score)(&s.score))
}

// score is a number that is read by [scoreOf].
type score float64

// UnmarshalJSON reads the number.
func (s *score) UnmarshalJSON(data []byte) error {
	var nearest float64
	if err := jsontext.Part(data, &nearest); err != nil {
		return err
	}
	*s = score(scoreOf(string(data), nearest))
	return nil
}

// scoreOf reads a number as tokenizers reads it: the digits that fit 64 bits, divided or multiplied by a power of ten.
// The last bit decides between ways to divide a word that have the same sum. A power of ten out of range gives the
// nearest number.
func scoreOf(text string, nearest float64) float64 {
	text, exponent := strings.ToLower(text), 0
	if mantissa, power, ok := strings.Cut(text, "e"); ok {
		var err error
		if exponent, err = strconv.Atoi(power); err != nil {
			return nearest
		}
		text = mantissa
	}
	digits, full, point := uint64(0), false, false
	for _, c := range strings.TrimPrefix(text, "-") {
		if c == '.' {
			point = true
			continue
		}
		digit := uint64(c - '0')
		if full = full || digits > (math.MaxUint64-digit)/10; !full {
			digits = digits*10 + digit
		}
		switch {
		case full && !point:
			exponent++ // a digit that is left out in front of the point
		case !full && point:
			exponent-- // a digit that is taken behind the point
		}
	}
	if exponent < -308 || exponent > 308 {
		return nearest
	}
	value := float64(digits)
	if power := math.Pow10(max(exponent, -exponent)); exponent < 0 {
		value /= power
	} else {
		value *= power
	}
	return math.Copysign(value, nearest)
}
