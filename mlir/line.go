package mlir

import "strings"

// lineIndex finds the line and column of positions. Positions mostly grow, so it
// counts on from the last one.
type lineIndex struct {
	pos, line, lineStart int // of the last answer; lines count from 0 here
}

func (x *lineIndex) find(text string, pos int) (line, col int) {
	pos = min(pos, len(text))
	if pos < x.pos {
		*x = lineIndex{}
	}
	piece := text[x.pos:pos]
	if n := strings.Count(piece, "\n"); n > 0 {
		x.line += n
		x.lineStart = x.pos + strings.LastIndexByte(piece, '\n') + 1
	}
	x.pos = pos
	return x.line + 1, pos - x.lineStart + 1
}

// locationAt returns the position in the file that is being read.
func (p *Parser) locationAt(pos int) Location {
	line, col := p.lines.find(p.text, pos)
	return Location{File: p.file, Line: line, Col: col}
}
