package bytecode

import (
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// sdyAttr reads an attribute of Shardy's dialect, as its bytecode.td lays it out, and returns the attribute as text.
func (r *reader) sdyAttr(c *cursor) mlir.Attribute {
	part := func() string { return r.sdyBody(c) }
	parts := func() string { return strings.Join(list(c, part), ", ") }
	numbers := func() []int64 { return list(c, c.signed) }
	name, body := "", ""
	switch code := c.varint(); code {
	case 0:
		name, body = "manual_axes", "{"+parts()+"}"
	case 1:
		name, body = "mesh_axis", strconv.Quote(r.string(c))+"="+strconv.FormatInt(c.signed(), 10)
	case 2:
		name, body = "mesh", "<["+parts()+"]"
		if ids := numbers(); len(ids) > 0 {
			body += ", device_ids=" + listed(ids)
		}
		body += ">"
	case 3:
		name, body = "sub_axis_info", "("+strconv.FormatInt(c.signed(), 10)+")"+strconv.FormatInt(c.signed(), 10)
	case 4:
		name, body = "axis_ref", strconv.Quote(r.string(c))
		if i, some := c.flagged(); some {
			body += ":" + r.body(c, r.attrAt(c, i))
		}
	case 5:
		axes := list(c, part)
		if c.byte() == 0 {
			axes = append(axes, "?")
		}
		name, body = "dimension_sharding", "{"+strings.Join(axes, ", ")+"}"
		if priority, some := c.flagged(); some {
			body += "p" + strconv.FormatUint(priority, 10)
		}
	case 6, 15, 17:
		name, body = "sharding", r.sharding(c, code)
	case 7, 16:
		name, body = "sharding_per_value", "<["+parts()+"]>"
	case 8:
		name = "dim_mapping"
		for _, f := range numbers() {
			body += factor(f)
		}
	case 9:
		name, body = "tensor_mapping", "["+parts()+"]"
	case 10:
		name, body = "op_sharding_rule", r.shardingRule(c)
	case 11:
		name, body = "axis_ref_list", "{"+parts()+"}"
	case 12:
		name, body = "list_of_axis_ref_lists", "["+parts()+"]"
	case 13:
		name, body = "all_to_all_param", "{"+parts()+"}: "+strconv.FormatInt(c.signed(), 10)+"->"+strconv.FormatInt(c.signed(), 10)
	case 14:
		name, body = "all_to_all_param_list", "["+parts()+"]"
	default:
		c.failf("an attribute %d of sdy", code)
	}
	text := "#sdy<" + name + body + ">"
	if strings.HasPrefix(body, "<") {
		text = "#sdy." + name + body
	}
	r.bodies[text] = body
	return mlir.OpaqueAttr{Text: text}
}

// sharding reads how a tensor is divided over a mesh: by the oldest form of the attribute (code 6), with the axes over
// which sums are left to be made (15), or with these and how values become one (17).
func (r *reader) sharding(c *cursor, code uint64) string {
	parts := func() string { return strings.Join(list(c, func() string { return r.sdyBody(c) }), ", ") }
	axes := func(word string) string {
		if axes := parts(); axes != "" {
			return ", " + word + "={" + axes + "}"
		}
		return ""
	}
	mesh := r.attr(c)
	body := "<" + mesh.String()
	if m, ok := mesh.(mlir.OpaqueAttr); ok {
		body = "<mesh" + r.body(c, m)
	}
	body += ", [" + parts() + "]" + axes("replicated")
	if code != 6 {
		unreduced := axes("unreduced")
		if code == 17 {
			unreduced = strings.Replace(unreduced, "={", "="+at(c, []string{"", "max", "min"}, uint64(c.signed()))+"{", 1)
		}
		body += unreduced
	}
	return body + ">"
}

// shardingRule reads which factors the dimensions of operands and results have, and what is known of each factor.
func (r *reader) shardingRule(c *cursor) string {
	numbers := func() []int64 { return list(c, c.signed) }
	mappings := func() string { return strings.Join(list(c, func() string { return r.sdyBody(c) }), ", ") }
	sizes := numbers()
	text := "<(" + mappings() + ")->(" + mappings() + ")"
	if len(sizes) > 0 {
		var named []string
		for i, n := range sizes {
			named = append(named, factor(int64(i))+"="+strconv.FormatInt(n, 10))
		}
		text += " {" + strings.Join(named, ", ") + "}"
	}
	for _, kind := range []string{"reduction", "need_replication", "permutation", "blocked_propagation"} {
		var named []string
		for _, f := range numbers() {
			named = append(named, factor(f))
		}
		if len(named) > 0 {
			text += " " + kind + "={" + strings.Join(named, ", ") + "}"
		}
	}
	if c.byte() != 0 {
		text += ", custom"
	}
	return text + ">"
}

// factor is the symbol of a factor of a sharding rule: i to z, and z_1, z_2 and so on behind z.
func factor(i int64) string {
	const letters = 'z' - 'i' + 1
	if i < letters {
		return string(rune('i' + i))
	}
	return "z_" + strconv.FormatInt(i-letters+1, 10)
}

// sdyBody reads the number of an attribute of Shardy's dialect, or of a text, and returns the text without the name.
func (r *reader) sdyBody(c *cursor) string { return r.body(c, r.attr(c)) }

// body is a text in quotes, or an attribute of Shardy's dialect without the dialect and the name.
func (r *reader) body(c *cursor, a mlir.Attribute) string {
	if s, ok := a.(mlir.StringAttr); ok {
		return strconv.Quote(string(s))
	}
	o, _ := a.(mlir.OpaqueAttr)
	body, ok := r.bodies[o.Text]
	if !ok {
		c.failf("%s where an attribute of sdy is wanted", a)
	}
	return body
}

// listed are numbers in brackets.
func listed(numbers []int64) string {
	var parts []string
	for _, n := range numbers {
		parts = append(parts, strconv.FormatInt(n, 10))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
