def analysis(world):
    """later"""
