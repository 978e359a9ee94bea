package tokenizer

import "errors"

// mostCode bounds the instructions of a pattern.
const mostCode = 1 << 16

// add appends an instruction and returns its place.
func (p *pattern) add(in instruction) int {
	p.code = append(p.code, in)
	return len(p.code) - 1
}

// emit appends the instructions of a part.
func (p *pattern) emit(n *node) error {
	if len(p.code) > mostCode {
		return errors.New("too many repetitions in repetitions")
	}
	switch n.kind {
	case nodeSet:
		p.add(instruction{op: opSet, set: n.set.compile()})
	case nodeSequence:
		for _, part := range n.parts {
			if err := p.emit(part); err != nil {
				return err
			}
		}
	case nodeAssert:
		in := instruction{op: n.assert, negative: n.negative}
		if n.assert == opSave { // \K
			if p.keep == 0 {
				p.marks++
				p.keep = p.marks
			}
			in.x = p.keep
		}
		p.add(in)
	case nodeGroup:
		mark := p.groups[n.group] // 0 for a group that nothing refers to
		if mark > 0 {
			p.add(instruction{op: opSave, x: mark})
		}
		if err := p.emit(n.parts[0]); err != nil {
			return err
		}
		if mark > 0 {
			p.add(instruction{op: opSave, x: mark + 1})
		}
	case nodeAgain:
		mark := p.groups[n.group]
		p.add(instruction{op: opAgain, x: mark, y: mark + 1, negative: n.negative})
	case nodeChoice:
		return p.choice(n)
	case nodeLook, nodeBack, nodeAtom:
		return p.within(n)
	case nodeRepeat:
		return p.repeat(n)
	}
	return nil
}

// choice emits alternatives: each is tried before the next one, and jumps behind the last one.
func (p *pattern) choice(n *node) error {
	var jumps []int
	for i, part := range n.parts {
		split := -1
		if i < len(n.parts)-1 {
			split = p.add(instruction{op: opSplit})
			p.code[split].x = split + 1
		}
		if err := p.emit(part); err != nil {
			return err
		}
		if split >= 0 {
			jumps = append(jumps, p.add(instruction{op: opJump}))
			p.code[split].y = len(p.code)
		}
	}
	for _, j := range jumps {
		p.code[j].x = len(p.code)
	}
	return nil
}

// within emits a part that matches for itself: ahead, behind, or without a way back.
func (p *pattern) within(n *node) error {
	in := instruction{op: opLook, negative: n.negative}
	switch n.kind {
	case nodeBack:
		in.op = opBack
		in.least, in.most = n.parts[0].width()
		in.most = min(in.most, 255)
	case nodeAtom:
		in.op = opAtom
	}
	at := p.add(in)
	if err := p.emit(n.parts[0]); err != nil {
		return err
	}
	p.add(instruction{op: opMatch})
	p.code[at].x = len(p.code)
	return nil
}

// repeat emits a repetition: of one character as a run, of more by copies and a loop.
func (p *pattern) repeat(n *node) error {
	part := n.parts[0]
	for part.kind == nodeSequence && len(part.parts) == 1 || part.kind == nodeGroup && p.groups[part.group] == 0 {
		part = part.parts[0]
	}
	if part.kind == nodeSet {
		p.code = append(p.code, instruction{op: opRun, set: part.set.compile(), least: n.least, most: n.most, lazy: n.lazy, whole: n.whole})
		return nil
	}
	if n.whole {
		loop := *n
		loop.whole = false
		return p.emit(&node{kind: nodeAtom, parts: []*node{&loop}})
	}
	for range n.least {
		if err := p.emit(part); err != nil {
			return err
		}
	}
	aim := func(at, inside, outside int) {
		if n.lazy {
			inside, outside = outside, inside
		}
		p.code[at].x, p.code[at].y = inside, outside
	}
	if n.most == without {
		at := p.add(instruction{op: opSplit})
		p.marks++
		mark := p.marks
		p.code = append(p.code, instruction{op: opMark, x: mark})
		if err := p.emit(part); err != nil {
			return err
		}
		p.code = append(p.code, instruction{op: opMoved, x: mark}, instruction{op: opJump, x: at})
		aim(at, at+1, len(p.code))
		return nil
	}
	var splits []int
	for range n.most - n.least {
		splits = append(splits, p.add(instruction{op: opSplit}))
		if err := p.emit(part); err != nil {
			return err
		}
	}
	for _, at := range splits {
		aim(at, at+1, len(p.code))
	}
	return nil
}

// width is the least and the most characters of a part.
func (n *node) width() (least, most int) {
	add := func(a, b int) int { return min(a+b, without) }
	switch n.kind {
	case nodeSet:
		return 1, 1
	case nodeSequence:
		for _, part := range n.parts {
			lo, hi := part.width()
			least, most = add(least, lo), add(most, hi)
		}
	case nodeChoice:
		least = without
		for _, part := range n.parts {
			lo, hi := part.width()
			least, most = min(least, lo), max(most, hi)
		}
	case nodeRepeat:
		lo, hi := n.parts[0].width()
		if most = without; n.most != without && hi < without {
			most = min(hi*n.most, without)
		}
		return min(lo*n.least, without), most
	case nodeAtom, nodeGroup:
		return n.parts[0].width()
	case nodeAssert:
		if n.assert == opSeen {
			return 1, without
		}
	case nodeAgain:
		return 0, without
	}
	return least, most
}

// begins returns what a match of the part may begin with, if every match has a first character.
func (n *node) begins() (*runeSet, bool) {
	switch n.kind {
	case nodeSet:
		return n.set, true
	case nodeSequence:
		set := newSet()
		for _, part := range n.parts {
			s, ok := part.begins()
			if ok {
				return set.union(s), true
			}
			if part.kind == nodeRepeat { // may be empty
				if s, ok = part.parts[0].begins(); ok {
					set = set.union(s)
					continue
				}
			}
			if part.kind == nodeLook || part.kind == nodeBack || part.kind == nodeAssert && part.assert != opSeen {
				continue
			}
			return nil, false
		}
		return nil, false
	case nodeChoice:
		set := newSet()
		for _, part := range n.parts {
			s, ok := part.begins()
			if !ok {
				return nil, false
			}
			set = set.union(s)
		}
		return set, true
	case nodeRepeat:
		if n.least > 0 {
			return n.parts[0].begins()
		}
	case nodeAtom, nodeGroup:
		return n.parts[0].begins()
	}
	return nil, false
}
