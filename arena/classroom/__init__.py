"""A whole class: what its students have handed in, their games on one machine or many, and what goes back to them."""
