package mlir

import "strconv"

// resourceAttr appends a reference to a resource.
func (p *Printer) resourceAttr(a ResourceAttr) { p.Text(p.noted(a).String()) }

// noted notes the bytes of a resource for the end and returns it under the key that they get.
func (p *Printer) noted(a ResourceAttr) ResourceAttr {
	shape, _, _ := ShapeOf(a.Type)
	if n, _ := NumElements(shape); p.elided(n) {
		a.Key = "__elided__"
	} else if a.Data != nil {
		a.Key = p.noteResource(a)
	}
	return a
}

// noteResource returns the key under which the bytes will be printed; two resources
// of one name get different keys.
func (p *Printer) noteResource(a ResourceAttr) string {
	key := a.Key
	for n := 1; ; n++ {
		i, used := p.resourceKeys[key]
		if used && sameBytes(p.resources[i].Data, a.Data) {
			return key
		}
		if !used {
			break
		}
		key = a.Key + "_" + strconv.Itoa(n)
	}
	if p.resourceKeys == nil {
		p.resourceKeys = map[string]int{}
	}
	p.resourceKeys[key] = len(p.resources)
	a.Key = key
	p.resources = append(p.resources, a)
	return key
}

// sameBytes reports whether two slices are the same memory.
func sameBytes(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// resourceSection appends the section with the bytes of all resources. They are
// aligned for any element type: 64 bytes.
func (p *Printer) resourceSection() {
	if len(p.resources) == 0 {
		return
	}
	p.Text("\n{-#\n  dialect_resources: {\n    builtin: {\n")
	for i, r := range p.resources {
		if i > 0 {
			p.Text(",\n")
		}
		p.Text("      " + keyOrQuoted(r.Key) + `: "0x40000000`)
		p.hexText(r.Data)
		p.Text(`"`)
	}
	p.Text("\n    }\n  }\n#-}\n")
}
