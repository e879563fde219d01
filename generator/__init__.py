"""Find out more: questions out to the workers, results into the store.

The commands of ``little-go generator`` are its front; these are what they are made of. A workshop has a store, a table
and a crew; shorter games, an atlas and a closure are worked out in one.
"""
