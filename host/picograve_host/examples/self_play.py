from picograve import Budget, Config, Searcher, load

searcher = Searcher(load("ttt3"), Config("uct", playouts=500), Budget(nodes=500), seed=1)
while not searcher.is_over:
    searcher.play(searcher.search().move)
    print(searcher)
print(searcher.winner, searcher.score())
