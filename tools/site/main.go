package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	root := flag.String("root", filepath.Join("..", ".."), "the `folder` of the repository")
	out := flag.String("o", "", "the `folder` to write")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	site, err := Read(*root)
	if err != nil {
		log.Fatal(err)
	}
	if err := site.Write(*out); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %d pages\n", filepath.Join(*out, "index.html"), len(site.Pages))
}
