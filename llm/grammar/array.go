package grammar

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// count reads a bound, otherwise what holds without one.
func count(f map[string]json.RawMessage, name, path string, otherwise int) (int, error) {
	if f[name] == nil {
		return otherwise, nil
	}
	var n int
	if err := json.Unmarshal(f[name], &n); err != nil || n < 0 || n > mostRepeats {
		return 0, fmt.Errorf("%s: %s is %s, want 0 to %d", path, name, f[name], mostRepeats)
	}
	return n, nil
}

// array matches the elements of prefixItems, then elements of items. Without minItems all of prefixItems come, and
// without items no more of them unless minItems or maxItems are larger.
func (s *schema) array(f map[string]json.RawMessage, path string, depth int) ([]element, error) {
	var prefix []json.RawMessage
	if f["prefixItems"] != nil {
		if err := json.Unmarshal(f["prefixItems"], &prefix); err != nil {
			return nil, fmt.Errorf("%s: prefixItems is no list", path)
		}
	}
	least, err := count(f, "minItems", path, len(prefix))
	if err != nil {
		return nil, err
	}
	most, err := count(f, "maxItems", path, -1)
	if err != nil {
		return nil, err
	}
	if most >= 0 && f["minItems"] == nil {
		least = min(least, most)
	}
	if most >= 0 && most < least {
		return nil, fmt.Errorf("%s: maxItems is less than minItems", path)
	}
	var more []element // those behind prefixItems
	closed := string(bytes.TrimSpace(f["items"])) == "false" || len(prefix) > 0 && f["items"] == nil && least <= len(prefix) && most <= len(prefix)
	switch {
	case closed && least > len(prefix):
		return nil, fmt.Errorf("%s: minItems is %d, and there are %d elements", path, least, len(prefix))
	case !closed:
		part, err := s.of(f["items"], path+"/items", depth+1)
		if err != nil {
			return nil, err
		}
		part = []element{s.g.add(part)}
		if len(prefix) == 0 {
			return s.braces("[", "]", s.list(part, least, most)), nil
		}
		rest := -1
		if most >= 0 {
			rest = max(most-len(prefix), 0)
		}
		more = s.g.repeat([]element{s.g.add(join(s.comma(), part))}, max(least-len(prefix), 0), rest)
	}
	if most >= 0 {
		prefix = prefix[:min(len(prefix), most)]
	}
	for i := len(prefix) - 1; i >= 0; i-- {
		part, err := s.of(prefix[i], fmt.Sprint(path, "/prefixItems/", i), depth+1)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			part = join(s.comma(), part)
		}
		if more = join(part, more); i >= least {
			more = []element{s.g.add(more, nil)}
		}
	}
	return s.braces("[", "]", more), nil
}
