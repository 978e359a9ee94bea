package main

import (
	"flag"
	"fmt"
	"log"
)

func main() {
	log.SetFlags(0)
	write := flag.String("write", "", "write the notebook with its results to this `file`")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: notebook [-write out.ipynb] NOTEBOOK.ipynb")
	}
	n, err := Read(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	failed := NewSession().Run(n)
	if *write != "" {
		if err := n.Write(*write); err != nil {
			log.Fatal(err)
		}
	}
	for _, c := range n.Cells {
		for _, o := range c.Outputs {
			fmt.Print(o.Text, o.Value)
			if text, ok := o.Data["text/plain"]; ok {
				fmt.Println(text)
			}
		}
	}
	if failed != nil {
		log.Fatal(failed)
	}
}
